// How often each operation waits for the database, counted on the wire.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationList } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { setup } from '../packages/server/test/global-setup.ts';
import { startServer } from '../packages/server/test/harness.ts';
import { askedOf, openWorld, pathOf, samples } from '../packages/server/test/samples.ts';
import type { World } from '../packages/server/test/samples.ts';
import { wideLimits } from './parts/child.ts';
import { openCountingProxy } from '../packages/server/test/counting-proxy.ts';
import type { Counted, CountingProxy } from '../packages/server/test/counting-proxy.ts';
import { show } from './parts/figures.ts';

/** The first times open the connections and prepare the statements. */
const times = 4;

/** Returns the cost of the last of several equal requests. */
async function costOf(
  { proxy, world, token }: { proxy: CountingProxy; world: World; token: string | undefined },
  operation: AnyOperation,
): Promise<Counted> {
  let cost: Counted = { roundTrips: 0, statements: 0 };
  for (let time = 0; time < times; time += 1) {
    const sample = await samples[operation.name as OperationName](world);
    const path = pathOf(operation, sample.params);
    const asked = askedOf(operation, sample, token);
    cost = await proxy.count(async () => {
      const answer = await world.server.ask(operation.method, path, asked);
      const { status, body } = answer as { readonly status: number; readonly body: unknown };
      if (status >= 400) throw new Error(`${operation.name}: ${status} ${JSON.stringify(body)}`);
    });
  }
  return cost;
}

const database = await setup();
const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
try {
  const limits = join(folder, 'limits.json');
  await writeFile(limits, JSON.stringify(wideLimits));
  const connection = JSON.parse(database.env['COLOPHON_TEST_DATABASE'] ?? '') as {
    host: string;
    port: number;
  };
  await using proxy = await openCountingProxy(connection);
  const through = JSON.stringify({ ...connection, host: proxy.host });
  Object.assign(process.env, database.env, { COLOPHON_TEST_DATABASE: through });
  await using server = await startServer({ ROLE: 'web', LIMITS: limits });
  const world = await openWorld(server);
  const rows = [];
  for (const operation of operationList) {
    const withToken = await costOf({ proxy, world, token: world.human.token }, operation);
    const anonymous =
      operation.access === 'public'
        ? await costOf({ proxy, world, token: undefined }, operation)
        : undefined;
    rows.push({
      operation: operation.name,
      'round trips': withToken.roundTrips,
      statements: withToken.statements,
      'without a token': anonymous === undefined ? '' : anonymous.roundTrips,
    });
  }
  show('round-trips', rows);
} finally {
  await database.dispose();
  await rm(folder, { recursive: true, force: true });
}
