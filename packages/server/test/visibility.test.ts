// The matrix: every state and visibility of an article, everybody who may come, every way to it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { operationList, ordinaryScopes } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { removeLegally, storeToken } from './accounts.ts';
import { createAgent, storeFollow } from './agents.ts';
import { effort } from './effort.ts';
import { untilSettled } from './edges.ts';
import { seed } from './seed.ts';
import { startServer } from './harness.ts';
import type { Human } from './harness.ts';
import { actors, states, visibilities } from './visibility-cases.ts';
import type { Actor, State, Visibility } from './visibility-cases.ts';
import { blind, seenBy, surfaces } from './visibility.ts';
import type { Scenario } from './visibility-surface.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

type Cast = Readonly<Record<Exclude<Actor, 'anonymous'>, Human>>;
let cast: Cast;
/** Writes what is changed by being asked for, so that lists of the author stay short. */
let busy: Human;
let combinations = 0;
let scenarios = 0;

before(async () => {
  const owner = await server.register();
  const author = await createAgent(server, owner);
  busy = await createAgent(server, owner);
  const [stranger, other] = [await server.register(), await server.register()];
  const token = await storeToken(server, other.id, [...ordinaryScopes, 'admin:moderate']);
  cast = { owner, author, stranger, moderator: { ...other, token } };
  for (const one of [owner, stranger, other]) await storeFollow(server, one.id, author.id);
});
after(() => process.stdout.write(`# ${combinations} combinations, SEED=${seed}\n`));

/** A random fifth of the combinations, in a long run all. */
const isTried = (combination: string) =>
  crc32(Buffer.from(`${seed} ${combination}`)) % effort(5, 1) === 0;

/** Past all rules: not every state has its operation yet. */
async function setStatus(id: string, status: string): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set status = ${status},
        removed_at = case when ${status} in ('unpublished', 'removed', 'erased') then ${new Date().toISOString()}::timestamptz end
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

async function bring(id: string, state: State, author: Human): Promise<void> {
  if (state === 'draft' || state === 'published') return;
  if (state === 'removed legally') return removeLegally(server, id);
  if (state !== 'erased') return setStatus(id, state);
  const asked = { token: author.token, body: { confirm: 'erase' } };
  const { status } = await server.ask('POST', `/v1/articles/${id}/erase`, asked);
  assert.equal(status, 200);
}

async function scenarioOf(state: State, visibility: Visibility, author: Human): Promise<Scenario> {
  const topic = `only-${(scenarios += 1)}`;
  const members = { visibility, language: 'en', metadata: { topics: ['Seen', topic] } };
  const { id, revision_id: first } =
    state === 'draft'
      ? await server.draft(author, members)
      : await server.published(author, members);
  const revised = await server.ask('POST', `/v1/articles/${id}/revisions`, {
    token: author.token,
    key: true,
    body: { content: 'A later text.', expected_revision_id: first },
  });
  assert.equal(revised.status, 201);
  await bring(id, state, author);
  return { id, authorId: author.id, topic, first, second: revised.body.revision_id };
}

test('every operation that shows an article or looks for one has a row', () => {
  const rows = new Set([...Object.values(surfaces).map(({ operation }) => operation), ...blind]);
  const wanted = operationList.filter(
    ({ path, answers }) =>
      /^\/v1\/(articles|topics)/.test(path) || JSON.stringify(answers).includes('"canonical_url"'),
  );
  assert.deepEqual(wanted.map(({ name }) => name).toSorted(), [...rows].toSorted());
});

for (const state of states) {
  for (const visibility of visibilities) {
    test(`${state}, ${visibility}`, async () => {
      const { author } = cast;
      const shared = await scenarioOf(state, visibility, author);
      // What was derived of it stays, even where its state was then changed past the pipeline.
      await untilSettled(server);
      for (const [name, surface] of Object.entries(surfaces)) {
        for (const actor of actors) {
          if (!isTried(`${state} ${visibility} ${name} ${actor}`)) continue;
          // The busy agent is its own author, and has the same owner.
          const fresh = surface.changes && (actor === 'author' || actor === 'owner');
          const scenario = fresh ? await scenarioOf(state, visibility, busy) : shared;
          const combination = { state, visibility, actor };
          const sender =
            fresh && actor === 'author' ? busy : { anonymous: undefined, ...cast }[actor];
          const [method, path, asked] = surface.ask(scenario, combination);
          const response = await server.ask(method, path, {
            ...asked,
            ...(sender === undefined ? {} : { token: sender.token }),
          });
          assert.equal(
            seenBy(surface, response, scenario),
            surface.expected(combination),
            `${name}, by ${actor}: ${response.status} ${JSON.stringify(response.body).slice(0, 300)}`,
          );
          combinations += 1;
        }
      }
    });
  }
}

test('what no one may know looks the same whatever it is', async () => {
  const { author, stranger } = cast;
  const ids = [
    (await scenarioOf('draft', 'public', author)).id,
    (await scenarioOf('hidden', 'public', author)).id,
    (await scenarioOf('published', 'private', author)).id,
    (await scenarioOf('erased', 'private', author)).id,
    (await scenarioOf('removed legally', 'private', author)).id,
    `${author.id.slice(0, -4)}0000`,
  ];
  const answers = await Promise.all(
    ids.map((id) => server.ask('GET', `/v1/articles/${id}`, { token: stranger.token })),
  );
  const bare = answers.map(({ body }) => ({ ...body, instance: '', request_id: '' }));
  for (const one of bare) assert.deepEqual(one, bare[0]);
});
