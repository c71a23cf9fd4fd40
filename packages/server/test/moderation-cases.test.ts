// Every action on every kind of target in every state: what follows, and that nothing does where it is refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TargetType } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { setPrincipalStatus } from './accounts.ts';
import { closeAccount } from './closing.ts';
import { effort } from './effort.ts';
import { seed } from './seed.ts';
import { comment, setArticleStatus } from './comments.ts';
import { problemName, startServer } from './harness.ts';
import type { Human, Response } from './harness.ts';
import { aRecord, pngOf, put } from './media-files.ts';
import { table } from './moderation-cases.ts';
import { namedActions } from './moderation-actions.ts';
import type { ActionName, State } from './moderation-actions.ts';
import { act, askAct, aModerator } from './moderators.ts';

/** No pipeline: what is seen is seen at once. */
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [moderator, second] = [await aModerator(server), await aModerator(server)];
const reader = await server.register();
const host = await server.published(reader);
let combinations = 0;
after(() => process.stdout.write(`# ${combinations} combinations, SEED=${seed}\n`));
/** Every fifth named for one state, and others for the next; all in a long run. */
const step = effort(5, 1);
let stateCount = 0;

interface Target {
  readonly type: TargetType;
  readonly id: string;
  readonly author: Human;
}

const makes: Readonly<Record<TargetType, (author: Human) => Promise<string>>> = {
  article: async (author) => (await server.draft(author)).id as string,
  comment: async (author) => (await comment(server, author, host.id)).id as string,
  media: async (author) => (await aRecord(server, author, 'image')).id as string,
  principal: async (author) => author.id,
};

const places: Readonly<Record<TargetType, (id: string) => string>> = {
  article: (id) => `/v1/articles/${id}`,
  comment: (id) => `/v1/comments/${id}`,
  media: (id) => `/v1/media/${id}`,
  principal: (id) => `/v1/principals/${id}`,
};

type Step = (target: Target) => Promise<unknown>;

async function asAuthor(
  { author }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const done = await server.ask(method, path, {
    token: author.token,
    ...(method === 'POST' ? { key: true as const } : {}),
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(done.status < 300, JSON.stringify(done.body));
}

const steps: Readonly<Record<string, Step>> = {
  'author publishes': (target) => asAuthor(target, 'POST', `/v1/articles/${target.id}/publish`, {}),
  'author deletes': (target) => asAuthor(target, 'DELETE', places[target.type](target.id)),
  'author erases': (target) =>
    asAuthor(target, 'POST', `/v1/articles/${target.id}/erase`, { confirm: 'erase' }),
  'author unpublishes': ({ id }) => setArticleStatus(server, id, 'unpublished'),
  'author uploads': ({ author, id }) => put(server, author, id, pngOf(2, 2)),
  'author uploads nonsense': ({ author, id }) =>
    put(server, author, id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
  'author closes': ({ author }) => closeAccount(server, author, 'unpublish'),
  'author closes past all rules': ({ id }) => setPrincipalStatus(server, id, 'closed'),
};

function inputOf({ type, id }: Target, name: ActionName) {
  const { action, legal } = namedActions[name];
  return {
    target_type: type,
    target_id: id,
    action,
    ...(legal ? { source: 'legal' as const, reason_code: 'court_order' } : {}),
  };
}

async function brought(type: TargetType, state: State): Promise<Target> {
  const author = await server.register();
  const target = { type, author, id: await makes[type](author) };
  for (const name of state.way) {
    if (name in namedActions) await act(server, second, inputOf(target, name as ActionName));
    else await (steps[name] ?? assert.fail(name))(target);
  }
  return target;
}

const tables = {
  article: sql`articles`,
  comment: sql`comments`,
  media: sql`media`,
  principal: sql`principals`,
};

async function recordOf({ type, id }: Target): Promise<Readonly<Record<string, unknown>>> {
  const row = await server.db.first(sql<{ record: Readonly<Record<string, unknown>> }>`
    select to_json(t) as record
    from ${tables[type]} t
    where t.bucket = ${bucketOf(id)} and t.id = ${id}`);
  return row?.record ?? assert.fail('the target is there');
}

async function whatIsSeen({ type, id, author }: Target): Promise<readonly [string, string]> {
  const path = places[type](id);
  const outcome = (response: Response, label: string) =>
    response.status < 300 ? label : problemName(response);
  const [others, own] = await Promise.all([
    server.ask('GET', path, { token: reader.token }),
    server.ask('GET', path, { token: author.token }),
  ]);
  return [
    outcome(others, type === 'principal' ? others.body.status : 'shown'),
    outcome(own, own.body.status),
  ];
}

async function historyOf({ type, id }: Target): Promise<number> {
  const path = `/v1/moderation/history/${type}/${id}?limit=100`;
  const list = await server.ask('GET', path, { token: moderator.token });
  return (list.body.items as readonly unknown[]).length;
}

async function tryCombination(
  type: TargetType,
  state: State,
  name: ActionName,
  follows: 422 | 409 | string,
): Promise<void> {
  const target = await brought(type, state);
  const before = [
    await recordOf(target),
    await whatIsSeen(target),
    await historyOf(target),
  ] as const;
  assert.deepEqual(before[1], state.seen, 'the state is what it is said to be');
  const done = await askAct(server, moderator, inputOf(target, name));
  const what = `${name}: ${JSON.stringify(done.body)}`;
  const after = [
    await recordOf(target),
    await whatIsSeen(target),
    await historyOf(target),
  ] as const;
  if (typeof follows === 'number') {
    assert.equal(done.status, follows, what);
    assert.deepEqual(after, before, what);
    return;
  }
  assert.equal(done.status, 201, what);
  assert.deepEqual(after[1], (table[type][follows] ?? assert.fail(follows)).seen, what);
  assert.equal(after[2], before[2] + 1, what);
  if (name === 'warn') assert.deepEqual(after[0], before[0], what);
  if (name === 'de-index') assert.equal(after[0]['deindexed'], true, what);
  if (namedActions[name].action === 'restore') {
    const left = [after[0]['deindexed'] ?? false, after[0]['reason_code'] ?? null];
    assert.deepEqual(
      [...left, after[0]['moderation_action_id'] ?? null],
      [false, null, null],
      what,
    );
  }
}

for (const [type, states] of Object.entries(table) as [TargetType, (typeof table)[TargetType]][]) {
  for (const [what, state] of Object.entries(states)) {
    stateCount += 1;
    const turn = stateCount + seed;
    test(`${type}, ${what}`, async () => {
      const all = [...(Object.keys(namedActions) as ActionName[]).entries()];
      const names = all.filter(([at]) => (at + turn) % step === 0);
      // Each on a target of its own: while one waits for the database, another goes on.
      const lane = async (): Promise<void> => {
        for (let next = names.pop(); next !== undefined; next = names.pop()) {
          const [at, name] = next;
          await tryCombination(type, state, name, state.row[at] ?? assert.fail(name));
          combinations += 1;
        }
      };
      await Promise.all(Array.from({ length: 4 }, lane));
    });
  }
}
