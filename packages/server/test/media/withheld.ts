// Bytes that not everybody may see: to whom they are sent in every state, and how. Run against each store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from '../agents.ts';
import { problemName } from '../harness.ts';
import type { Human, TestServer } from '../harness.ts';
import {
  aRecord,
  fetchBytes,
  pngOf,
  pngOfLength,
  put,
  upload,
  variantsMade,
} from '../media-files.ts';
import type { Served } from '../media-files.ts';
import { act, aModerator } from '../moderators.ts';
import type { Input } from '../moderators.ts';
import { drawSample } from '../faults/sampled.ts';
import { until } from '../throw-away-database.ts';

const actors = [
  'anybody',
  'stranger',
  'author',
  'author without the scope',
  'owner',
  'owner’s other agent',
  'moderator',
] as const;
type Actor = (typeof actors)[number];

type Outcome =
  | 'shown'
  | 'not-found'
  | 'gone'
  | 'unavailable-for-legal-reasons'
  | 'unauthenticated'
  | 'insufficient-scope';

interface Scenario {
  readonly server: TestServer;
  readonly id: string;
  readonly author: Human;
  readonly moderator: Human;
}

type Step = (scenario: Scenario) => Promise<unknown>;

const acting =
  (input: Omit<Input, 'target_type' | 'target_id'>): Step =>
  ({ server, id, moderator }) =>
    act(server, moderator, { target_type: 'media', target_id: id, ...input });

const hide = acting({ action: 'hide' });
const remove = acting({ action: 'remove' });
const removeLegally = acting({ action: 'remove', source: 'legal' });
const restore = acting({ action: 'restore' });
const restoreLegally = acting({ action: 'restore', source: 'legal' });

const deletes: Step = async ({ server, id, author }) => {
  const { status } = await server.ask('DELETE', `/v1/media/${id}`, { token: author.token });
  assert.equal(status, 204);
};

/** The article that alone names the file goes, and the file with it. */
const erases: Step = async ({ server, id, author }) => {
  const article = await server.published(author, { content: `![](/media/${id})` });
  const asked = { token: author.token, body: { confirm: 'erase' } };
  const erased = await server.ask('POST', `/v1/articles/${article.id}/erase`, asked);
  assert.equal(erased.status, 200);
  await until('the bytes are released', async () => {
    const row = await server.db.first(sql<{ held: string | null }>`
      select held_checksum as held from media where bucket = ${bucketOf(id)} and id = ${id}`);
    return row?.held === null;
  });
};

const uploads: Step = ({ server, id, author }) => put(server, author, id, pngOf(6, 7));
const uploadsNonsense: Step = ({ server, id, author }) =>
  put(server, author, id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));

/** What the operation answers to strangers, to the author, to the owner of the agent, and to moderators. */
type Row = readonly [stranger: Outcome, author: Outcome, owner: Outcome, moderator: Outcome];

const none = 'not-found';
const gone = 'gone';
const legal = 'unavailable-for-legal-reasons';
const allGone: Row = [gone, gone, gone, gone];
const allLegal: Row = [legal, legal, legal, legal];

/** Each state by the way to it from a reservation, and what `/media/{id}` answers everybody in it. */
const states: Readonly<Record<string, readonly [readonly Step[], Outcome, Row]>> = {
  pending: [[], none, [none, none, none, none]],
  rejected: [[uploadsNonsense], none, [none, none, none, none]],
  ready: [[uploads], 'shown', ['shown', 'shown', 'shown', 'shown']],
  hidden: [[uploads, hide], none, [none, 'shown', 'shown', 'shown']],
  removed: [[uploads, remove], gone, [gone, gone, gone, 'shown']],
  'hidden and removed': [[uploads, hide, remove], gone, [gone, gone, gone, 'shown']],
  'removed legally': [[uploads, removeLegally], legal, [legal, legal, legal, 'shown']],
  restored: [[uploads, hide, remove, restore], 'shown', ['shown', 'shown', 'shown', 'shown']],
  deleted: [[uploads, deletes], gone, allGone],
  'hidden and deleted': [[uploads, hide, deletes], none, [none, gone, gone, gone]],
  'removed and deleted': [[uploads, remove, deletes], gone, allGone],
  'hidden, removed and deleted': [[uploads, hide, remove, deletes], gone, allGone],
  'removed legally and deleted': [[uploads, removeLegally, deletes], legal, allLegal],
  'deleted, then removed legally': [[uploads, deletes, removeLegally], legal, allLegal],
  'hidden, deleted and restored': [[uploads, hide, deletes, restore], gone, allGone],
  'removed, deleted and restored': [[uploads, remove, deletes, restore], gone, allGone],
  'removed legally, deleted and restored': [
    [uploads, removeLegally, deletes, restoreLegally],
    gone,
    allGone,
  ],
  erased: [[uploads, erases], gone, allGone],
  'removed and erased': [[uploads, remove, erases], gone, allGone],
};

function expectedOutcome(name: string, actor: Actor): Outcome {
  const [, outside, [stranger, author, owner, moderator]] = states[name] ?? assert.fail(name);
  if (actor === 'anybody') return 'unauthenticated';
  if (actor === 'author') return author;
  if (actor === 'owner') return owner;
  if (actor === 'moderator') return moderator;
  // A caller who may know of the record learns what is missing.
  if (actor === 'author without the scope' && outside === none) return 'insufficient-scope';
  return stranger;
}

function bearer(human: Pick<Human, 'token'>): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${human.token}` };
}

function outcomeOf({ status, headers, bytes }: Served, whole: Buffer): string {
  if (status === 200) {
    assert.deepEqual(bytes, whole);
    return 'shown';
  }
  assert.equal(headers.get('cache-control'), 'no-store');
  for (const name of ['etag', 'accept-ranges', 'content-disposition'])
    assert.equal(headers.get(name), null, name);
  const body: unknown = JSON.parse(bytes.toString());
  return problemName({ status, headers, body });
}

/**
 * Registers the tests. `skip` says why they cannot run. What is answered follows from the database, so one store is
 * tried with every state; another one may be given a few of them, drawn by the seed.
 */
export function testWithheld(
  what: string,
  serverOf: () => TestServer,
  skip: string | false = false,
  count = Infinity,
): void {
  for (const [name, [way, outside]] of drawSample(Object.entries(states), count, what)) {
    test(`${what}: a file that is ${name}, to everybody who may come`, { skip }, async () => {
      const server = serverOf();
      const [owner, moderator] = [await server.register(), await aModerator(server)];
      const author = await createAgent(server, owner);
      const { id } = await aRecord(server, author, 'image');
      for (const step of way) await step({ server, id, author, moderator });
      const cast: Readonly<Record<Exclude<Actor, 'anybody'>, Pick<Human, 'token'>>> = {
        stranger: await server.register(),
        author,
        'author without the scope': { token: await server.tokenWith(author, ['articles:read']) },
        owner,
        'owner’s other agent': await createAgent(server, owner),
        moderator,
      };
      for (const actor of actors) {
        const headers = actor === 'anybody' ? {} : bearer(cast[actor]);
        const inside = await fetchBytes(server, `/v1/media/${id}/content`, headers);
        assert.equal(outcomeOf(inside, pngOf(6, 7)), expectedOutcome(name, actor), actor);
        // The public address looks at no token: what it answers may be kept by anybody.
        const served = await fetchBytes(server, `/media/${id}`, headers);
        assert.equal(outcomeOf(served, pngOf(6, 7)), outside, `${actor}, publicly`);
      }
    });
  }

  for (const [name, step] of Object.entries({ hidden: hide, removed: remove })) {
    test(
      `${what}: 200, 206, 304 and 416 for moderators of what was ${name}, kept by no cache`,
      { skip },
      () => seenByModerators(serverOf(), step),
    );
  }
}

const sandbox = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'x-content-trust': 'untrusted',
  'accept-ranges': 'bytes',
};

async function seenByModerators(server: TestServer, step: Step): Promise<void> {
  const [author, moderator] = [await server.register(), await aModerator(server)];
  const bytes = pngOfLength(100_000);
  const { id, checksum_sha256: checksum } = (await upload(server, author, 'image', bytes)).body;
  await variantsMade(server, id);
  const variant = (await fetchBytes(server, `/media/${id}?w=320`)).bytes;
  await step({ server, id, author, moderator });
  const path = `/v1/media/${id}/content`;
  const ask = (headers: Readonly<Record<string, string>> = {}, method = 'GET', query = '') =>
    fetchBytes(server, path + query, { ...bearer(moderator), ...headers }, method);
  const whole = await ask();
  const part = await ask({ range: 'bytes=10-19' });
  const small = await ask({}, 'GET', '?w=320');
  const head = await ask({}, 'HEAD');
  const known = await ask({ 'if-none-match': `"${checksum}"` });
  for (const { headers } of [whole, part, small, head, known]) {
    assert.equal(headers.get('cache-control'), 'private, no-store');
    for (const [header, value] of Object.entries(sandbox)) assert.equal(headers.get(header), value);
  }
  assert.deepEqual([whole.status, whole.bytes], [200, bytes]);
  assert.equal(whole.headers.get('content-type'), 'image/png');
  assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(10, 20)]);
  assert.equal(part.headers.get('content-range'), 'bytes 10-19/100000');
  assert.deepEqual([small.status, small.bytes], [200, variant]);
  assert.equal(small.headers.get('content-type'), 'image/webp');
  assert.deepEqual([head.status, head.bytes.length], [200, 0]);
  assert.equal(head.headers.get('content-length'), '100000');
  // RFC 9110 section 14.2: Range means something with GET only.
  for (const range of ['bytes=10-19', 'bytes=100000-', 'bytes=-5']) {
    const ranged = await ask({ range }, 'HEAD');
    assert.deepEqual([ranged.status, ranged.headers.get('content-length')], [200, '100000'], range);
    assert.equal(ranged.headers.get('content-range'), null);
  }
  assert.equal(known.status, 304);
  const beyond = await ask({ range: 'bytes=100000-' });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get('content-range'), 'bytes */100000');
  assert.equal(beyond.headers.get('cache-control'), 'no-store');
  await attachedToModerators(server, step, { author, moderator });
}

async function attachedToModerators(
  server: TestServer,
  step: Step,
  { author, moderator }: Pick<Scenario, 'author' | 'moderator'>,
): Promise<void> {
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n');
  const { id } = (await upload(server, author, 'document', pdf)).body;
  await step({ server, id, author, moderator });
  const { headers, bytes } = await fetchBytes(server, `/v1/media/${id}/content`, bearer(moderator));
  assert.deepEqual(bytes, pdf);
  assert.equal(headers.get('content-disposition'), `attachment; filename="${id}.pdf"`);
}
