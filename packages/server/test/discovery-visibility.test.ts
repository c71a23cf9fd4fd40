// The matrix of discovery: every place, every state, at once after the change, after the pipeline, after a rebuild.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { operationList } from '@colophon/contract';
import { createApp } from '#app';
import { rebuildDerived } from './derived-tables.ts';
import type { Moment } from './discovery-rules.ts';
import { articleOf, bodyOf, personOf, remarkOf } from './discovery-scenarios.ts';
import type { Article, Person, Remark, Stage, Subject } from './discovery-scenarios.ts';
import { articleStates, remarkStates } from './discovery-states.ts';
import { articleSurfaces, personSurfaces, remarkSurfaces } from './discovery-surfaces.ts';
import { tellingNothing } from './discovery-silent.ts';
import { answersNow, findOutdated, sweep } from './discovery-sweep.ts';
import type { Seen } from './discovery-sweep.ts';
import { untilSettled } from './edges.ts';
import { effort } from './effort.ts';
import { assertTopicsExact } from './feeds.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { aModerator } from './moderators.ts';
import { seed } from './seed.ts';

/** After the pipeline and after the rebuild the same is expected: each asks a random part, in a long run all. */
const parts = effort(6, 1);
const partOf = (name: string) => crc32(`${seed} ${name}`) % parts;

let server: TestServer;
let stage: Stage;
const articles: Article[] = [];
const remarks: Remark[] = [];
const people: Person[] = [];
const shown = new Set<string>();
/** What readers had before the change. */
let kept: readonly Seen[] = [];

const subjects = (): readonly Subject[] => [...articles, ...remarks, ...people];

/** Runs the pipeline, which stands still otherwise, until nothing is left to do. */
async function runPipeline(): Promise<void> {
  const { services } = server;
  const config = { ...services.config, role: 'worker' as const };
  await using _worker = await createApp({ ...services, config });
  await untilSettled(server);
}

async function population(): Promise<void> {
  const author = await personOf(stage, 'the author');
  const commenter = await server.register();
  const { token } = stage.follower;
  await bodyOf(
    server.ask('POST', '/v1/follows', { token, body: { principal_id: author.human.id } }),
  );
  for (const [name, rule] of Object.entries(articleStates))
    articles.push(await articleOf(stage, name, { author, rule }));
  people.push(
    ...new Set(
      articles.flatMap(({ author: { owner }, author: one }) => (owner ? [one, owner] : [one])),
    ),
  );
  for (const on of articles.filter(({ rule }) => rule.state !== 'draft')) {
    const rule = { visible: true };
    remarks.push(await remarkOf(stage, `on ${on.name}`, { on, author: commenter, rule }));
  }
  const on = articles.find(({ name }) => name === 'published') as Article;
  for (const [name, rule] of Object.entries(remarkStates)) {
    const { closed } = rule;
    const leaver = closed && (await personOf(stage, `writer of ${name}`, { closed }));
    if (leaver) people.push(leaver);
    const by = leaver?.human ?? commenter;
    remarks.push(await remarkOf(stage, name, { on, author: by, rule }));
  }
}

/** Does what leads to each state, `before` or as the `change` that is looked at. */
async function take(step: 'before' | 'change'): Promise<void> {
  for (const one of articles) await one.rule[step]?.(stage, one);
  for (const one of remarks) await remarkStates[one.name]?.[step]?.(stage, one);
}

async function readNames(): Promise<void> {
  for (const one of people) {
    const found = await server.ask('GET', `/v1/principals/${one.human.id}`);
    if (found.status === 200) one.username = found.body.username;
  }
}

before(async () => {
  server = await startServer({ ROLE: 'web' });
  const [moderator, follower] = [await aModerator(server), await server.register()];
  const other = await server.register();
  const target = await server.published(other, { title: 'What all link to', language: 'en' });
  stage = { server, moderator, follower, target };
  await population();
  await runPipeline();
  await take('before');
  await runPipeline();
  kept = await answersNow(stage, subjects());
  await take('change');
  await readNames();
});
after(() => server[Symbol.asyncDispose]());

async function look(
  moment: Moment,
  wanted: (name: string) => boolean = () => true,
): Promise<string> {
  const { combinations, requests, faults, ...found } = await sweep(
    stage,
    subjects(),
    moment,
    wanted,
  );
  for (const name of found.shown) shown.add(name);
  assert.deepEqual(faults, [], `SEED=${seed}`);
  return `${combinations} combinations, ${requests} requests, SEED=${seed}`;
}

/** What the topic counts that all of them have. */
async function assertCommonCount(): Promise<void> {
  const { body } = await server.ask('GET', '/v1/topics/common-ground');
  assert.equal(body.article_count, articles.filter(({ rule }) => rule.listed).length);
  await assertTopicsExact(server);
}

/** Paths of GET that the server has, in the spelling of the contract: each line of the tree adds to its parent's. */
function servedPaths(): readonly string[] {
  const tree = server.app.server?.printRoutes({ commonPrefix: false }) ?? '';
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─ ]+)(\S+) \((.+)\)$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above[depth] = (above[depth - 1] ?? '') + part;
    return methods.includes('GET') ? [above[depth].replaceAll(/:(\w+)/g, '{$1}')] : [];
  });
}

test('every path of discovery and of the web has a row', () => {
  const tables = [articleSurfaces, remarkSurfaces, personSurfaces];
  const rows = tables.flatMap((table) => Object.values(table).map(({ route }) => route as string));
  const known = new Set([...rows, ...tellingNothing]);
  const wanted = operationList.filter(({ tag }) => tag === 'discovery').map(({ name }) => name);
  const served = servedPaths();
  assert.ok(served.length > 70, 'the tree of paths is read');
  // Below /-/v1 are the operations of the API, for sessions.
  const pages = served.filter((path) => !/^\/(?:-\/)?v1\//.test(path)).map((path) => `GET ${path}`);
  assert.deepEqual(
    [...wanted, ...pages].filter((route) => !known.has(route)),
    [],
  );
});

test('at once: the pipeline has seen nothing of it', async (t) =>
  t.diagnostic(await look('at once')));

test('at once: no revalidation says that an answer with what was removed still stands', async (t) => {
  const { asked, faults } = await findOutdated(stage, subjects(), kept);
  assert.ok(asked > 100);
  assert.deepEqual(faults, []);
  t.diagnostic(`${asked} requests`);
});

test('idle: the pipeline has done all', async (t) => {
  await runPipeline();
  t.diagnostic(await look('idle', (name) => partOf(name) === 0));
  await assertCommonCount();
});

test('rebuilt: everything derived was deleted and made again', async (t) => {
  await rebuildDerived(server);
  t.diagnostic(await look('rebuilt', (name) => partOf(name) === parts - 1));
  await assertCommonCount();
});

test('every place has shown something: the places are right', () => {
  const tables = [articleSurfaces, remarkSurfaces, personSurfaces];
  const names = tables.flatMap((table) => Object.keys(table));
  const empty = names.filter((name) => !shown.has(name));
  assert.deepEqual(empty, ['the index of the sitemap']);
});
