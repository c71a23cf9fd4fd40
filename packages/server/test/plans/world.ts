// A small world with one of everything, in which one account, one article and one comment are very busy after it is copied.
import { operationList } from '@colophon/contract';
import type { OperationName } from '@colophon/contract';
import { createApp } from '#app';
import { openDatabase } from '#database';
import { askReply, comment } from '../comments.ts';
import { link, untilSettled } from '../edges.ts';
import { settle } from '../forms/people.ts';
import type { Inhabited } from '../forms/people.ts';
import { freshName } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { samples, send } from '../samples.ts';
import type { Sample, World } from '../samples.ts';

/** How often each operation is sent before the world is copied. */
const rounds = 3;

export interface BusyWorld {
  readonly world: World;
  /** The busy account, which also moderates, with a browser that is signed in. */
  readonly people: Inhabited;
  /** One for each operation, which is not used yet. */
  readonly samples: ReadonlyMap<string, Sample>;
  readonly article: { readonly id: string; readonly url: string; readonly revision_id: string };
  readonly comment: { readonly id: string };
  readonly topic: string;
  /** The objects that keep their ids in every second copy. */
  readonly busy: readonly string[];
}

/** Runs the pipeline of a server that has none. */
export async function runPipeline({ services }: TestServer): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const { connection, config } = services;
  const db = opened.use(
    openDatabase({ connection, readers: 2, writers: 12, patience: 12, onError: () => undefined }),
  );
  const own = { ...services, db, config: { ...config, role: 'worker' as const } };
  opened.use(await createApp(own, { drawsAhead: true }));
  return opened.move();
}

async function sendAll(world: World): Promise<void> {
  for (const operation of operationList)
    if (operation.name !== 'closePrincipal') await send(world, operation);
}

/** Makes the world. The pipeline has done all its work at the end and does not run any more. */
export async function makeWorld(server: TestServer): Promise<BusyWorld> {
  await using pipeline = await runPipeline(server);
  const settled = await settle(server);
  const { person: human } = settled;
  const world = { server, human };
  const topic = 'Busy';
  const article = await server.published(human, { metadata: { topics: [topic] } });
  const others = await Promise.all(Array.from({ length: 4 }, () => server.register()));
  const first = await comment(server, others[0] ?? human, article.id);
  for (const one of others) {
    await askReply(server, one, first.id);
    const body = { principal_id: human.id };
    await server.ask('POST', '/v1/follows', { token: one.token, body });
    const source = await server.published(one, { metadata: { topics: [topic, freshName()] } });
    await link(server, one, [source, article]);
    await link(server, human, [article, source]);
  }
  for (let round = 0; round < rounds; round += 1) await sendAll(world);
  const made = new Map<string, Sample>();
  for (const { name } of operationList) made.set(name, await samples[name as OperationName](world));
  await untilSettled(server);
  void pipeline;
  const busy = [human.id, article.id, first.id];
  return {
    world,
    people: settled,
    samples: made,
    article,
    comment: first,
    topic: topic.toLowerCase(),
    busy,
  };
}
