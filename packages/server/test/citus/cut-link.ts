// The way from a coordinator to one of its workers, which a test cuts at a statement of its choice.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import pg from 'pg';
import { workersOf } from './workers.ts';

/** `before`: the worker does not get it; `after`: the worker gets it, and its answer is lost. */
export type Fate = 'pass' | 'before' | 'after';

const quiet = () => undefined;

function join(client: Socket, port: number, fateOf: (text: string) => Fate): void {
  const worker = connect(port, '127.0.0.1');
  let lost = false;
  const end = () => {
    client.destroy();
    worker.destroy();
  };
  client.on('data', (bytes) => {
    const fate = fateOf(bytes.toString('latin1'));
    if (fate === 'before') return end();
    if (fate === 'after') lost = true;
    worker.write(bytes);
  });
  worker.on('data', (bytes) => {
    if (lost) end();
    else client.write(bytes);
  });
  for (const socket of [client, worker]) socket.on('error', quiet).on('close', end);
}

export interface CutLink extends AsyncDisposable {
  /** A bucket whose rows are on the worker at the end of the link, and one whose rows are on another server. */
  readonly buckets: readonly [routed: number, other: number];
}

interface Place {
  readonly bucket: number;
  readonly port: number;
}

/** @throws Error if the servers encrypt what they say to each other: no statement would be seen */
async function requirePlainText(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ words: string }>(
    "select current_setting('citus.node_conninfo') as words",
  );
  await client.end();
  if (rows[0]?.words.includes('sslmode=disable') !== true)
    throw new Error(
      'Run "alter system set citus.node_conninfo = \'sslmode=disable\'" and reload the servers for this test.',
    );
}

/**
 * Leads connections from the coordinator to the last worker over a server of the test. Those that are open
 * already stay as they are.
 */
export async function openCutLink(
  connection: pg.ClientConfig,
  fateOf: (text: string) => Fate,
): Promise<CutLink> {
  const { port = 0 } = workersOf(process.env).at(-1) ?? {};
  await requirePlainText(connection);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    join(client, port, fateOf);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(
    `insert into pg_dist_poolinfo
      select nodeid, 'host=127.0.0.1 port=${own}' from pg_dist_node where nodeport = ${port}`,
  );
  const { rows } = await client.query<Place>(`
    select bucket, nodeport as port
    from generate_series(0, 4095) as bucket
    join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column('principals', bucket)
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid`);
  await client.end();
  const bucketOn = (fits: (place: Place) => boolean) => rows.find(fits)?.bucket ?? -1;
  return {
    buckets: [bucketOn((place) => place.port === port), bucketOn((place) => place.port !== port)],
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
