// GET /v1/search over HTTP: filters, pages of a ranking while articles arrive, and invalid requests.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { findable, searchFor, titlesFor } from '#test/searching';
import { effort } from '#test/effort';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
let ann: Human;
let bob: Human;

before(async () => {
  [ann, bob] = await Promise.all([server.register(), server.register()]);
});

/** Returns every id of a search, page by page; `between` runs after each page. */
async function allIds(
  q: string,
  parameters: Readonly<Record<string, string>>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Record<string, string> = cursor === '' ? {} : { cursor };
    const { status, body } = await searchFor(server, q, { ...parameters, ...page });
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(...body.items.map(({ article }: { article: { id: string } }) => article.id));
    cursor = body.next_cursor;
    if (cursor !== null) await between();
  }
  return ids;
}

test('200 every filter of the list of articles', async () => {
  const agent = await storeAgent(server, ann);
  const writer = { id: agent.id, username: agent.username, token: agent.token };
  await Promise.all([
    findable(server, ann, {
      title: 'Lantern of Ann',
      content: 'x',
      language: 'en',
      metadata: { topics: ['Deep Sea'] },
    }),
    findable(server, bob, { title: 'Lantern of Bob', content: 'x', language: 'de-AT' }),
    findable(server, writer, { title: 'Lantern of an agent', content: 'x', language: 'en' }),
  ]);
  const rows: readonly (readonly [filter: string, value: string, titles: readonly string[]])[] = [
    ['author', ann.id, ['Lantern of Ann']],
    ['author', ann.username, ['Lantern of Ann']],
    ['author', `@${ann.username}`, ['Lantern of Ann']],
    ['author', 'nobody-has-this', []],
    ['topic', 'deep-sea', ['Lantern of Ann']],
    ['topic', 'Deep Sea', ['Lantern of Ann']],
    ['topic', 'shallow', []],
    ['language', 'en', ['Lantern of Ann', 'Lantern of an agent']],
    ['language', 'DE-at', ['Lantern of Bob']],
    ['disclosure', 'ai_generated', ['Lantern of an agent']],
    ['kind', 'agent', ['Lantern of an agent']],
    ['kind', 'human', ['Lantern of Ann', 'Lantern of Bob']],
    ['signed', 'true', []],
    ['signed', 'false', ['Lantern of Ann', 'Lantern of Bob', 'Lantern of an agent']],
    [
      'since',
      '2020-01-01T00:00:00.000Z',
      ['Lantern of Ann', 'Lantern of Bob', 'Lantern of an agent'],
    ],
    ['since', '2120-01-01T00:00:00.000Z', []],
    ['until', '2020-01-01T00:00:00.000Z', []],
  ];
  for (const [filter, value, expected] of rows) {
    const found = await titlesFor(server, 'lantern', { [filter]: value });
    assert.deepEqual(found.toSorted(), [...expected].toSorted(), `${filter}=${value}`);
  }
  const both = await titlesFor(server, 'lantern', {
    kind: 'human',
    language: 'en',
    topic: 'deep-sea',
  });
  assert.deepEqual(both, ['Lantern of Ann']);
});

test('200 pages of any size are the whole ranking, once each', async () => {
  const ids = await Promise.all(
    Array.from({ length: 11 }, (_, n) =>
      findable(server, ann, { title: `Kestrel ${'very '.repeat(n)}high`, content: 'A kestrel.' }),
    ),
  );
  const whole = await allIds('kestrel', { limit: '100' });
  assert.deepEqual(whole.toSorted(), ids.toSorted());
  for (const limit of ['1', '3', '5', '10', '11'])
    assert.deepEqual(await allIds('kestrel', { limit }), whole, limit);
});

test('200 while articles arrive nothing comes twice, and nothing that was there is missed', async () => {
  const there = await Promise.all(
    Array.from({ length: 9 }, (_, n) =>
      findable(server, ann, { title: `Osprey ${n}`, content: 'An osprey.' }),
    ),
  );
  let count = 0;
  const found = await allIds('osprey', { limit: '2' }, async () => {
    count += 1;
    const members = count % 2 === 0 ? { title: 'Osprey' } : { title: `Other ${count}` };
    await findable(server, bob, { ...members, content: 'Of an osprey that came later.' });
  });
  assert.equal(new Set(found).size, found.length);
  assert.deepEqual(
    there.filter((id) => !found.includes(id)),
    [],
  );
});

test('200 the pages of a search with a typo go on with it', async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      findable(server, ann, { title: `Peregrine ${n}`, content: 'A falcon.' }),
    ),
  );
  const found = await allIds('peregrin', { limit: '2' });
  assert.deepEqual(found.toSorted(), ids.toSorted());
});

test('200 the pages of a search go on with the alternative for a word that others have', async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      findable(server, ann, { title: `Merlin above moorland ${n}`, content: 'A falcon.' }),
    ),
  );
  // A title contains the typed word, so no alternatives are tried until the whole query finds nothing.
  await findable(server, ann, { title: 'Berlin', content: 'A town.' });
  const typo = await allIds('berlin above moorland', { limit: '2' });
  assert.deepEqual(typo.toSorted(), ids.toSorted());
});

test('200 a typo in one word does not let the others stand for more than they say', async () => {
  const meant = await findable(server, ann, {
    title: 'Hobby hunting dragonflies',
    content: 'Two.',
  });
  await findable(server, ann, { title: 'Hobbs hunting dragonflies', content: 'Two.' });
  assert.deepEqual(await allIds('hobby hunting dragonfles', {}), [meant]);
});

test('400 invalid-request for a malformed cursor, or one of another search', async () => {
  await Promise.all(
    ['One', 'Two'].map((title) =>
      findable(server, ann, { title, content: 'A gannet.', language: 'en' }),
    ),
  );
  const { body } = await searchFor(server, 'gannet', { limit: '1' });
  const cursor = String(body.next_cursor);
  const longer = ['x', 'xx', '=', '.'].map((more) => cursor + more);
  for (const wrong of ['x', ann.id, ...longer, Buffer.from('[]').toString('base64url')]) {
    const refused = await searchFor(server, 'gannet', { limit: '1', cursor: wrong });
    assertProblem(refused, 'invalid-request');
    assert.match(refused.body.detail, /cursor/);
  }
  for (const other of [{ q: 'gannets' }, { q: 'gannet', kind: 'human' }]) {
    const { q, ...filters } = other;
    const refused = await searchFor(server, q, { ...filters, cursor });
    assertProblem(refused, 'invalid-request');
    assert.match(refused.body.detail, /another search/);
    assert.equal(refused.body.errors[0].pointer, '/cursor');
  }
  assert.equal((await searchFor(server, 'gannet', { limit: '5', cursor })).body.items.length, 1);
});

test('400 invalid-request without q, and for one that is too long', async () => {
  assertProblem(await server.ask('GET', '/v1/search'), 'invalid-request');
  assertProblem(await searchFor(server, ''), 'invalid-request');
  assertProblem(await searchFor(server, 'x'.repeat(201)), 'invalid-request');
  assert.equal((await searchFor(server, '🦉'.repeat(200))).status, 200);
});

test('200 or 400 for any text', async () => {
  const character = fc.nat(0x10_ff_ff).map((point) => String.fromCodePoint(point));
  const piece = fc.oneof(
    fc.array(character, { maxLength: 20 }).map((characters) => characters.join('')),
    fc.constantFrom(
      '"',
      '-',
      ' or ',
      ' OR ',
      "'",
      '\\',
      '&',
      '|',
      '!',
      ':*',
      '(',
      ')',
      '<->',
      'osprey',
      '北京',
      ' ',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 30 }), async (pieces) => {
      const { status } = await searchFor(server, pieces.join('').toWellFormed());
      assert.ok(status === 200 || status === 400, String(status));
    }),
    { numRuns: effort(150, 3_000) },
  );
});
