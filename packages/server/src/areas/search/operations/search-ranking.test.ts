// GET /v1/search over HTTP: the order of results, beyond the ranking limit, and exclusions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { findable, searchFor, titlesFor, untilIndexed } from '#test/searching';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
let ann: Human;

/** More than are ranked. */
const many = 110;
const atOnce = 16;

async function publishMany(titleOf: (n: number) => string, count: number): Promise<string[]> {
  const ids: string[] = [];
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const work = async () => {
    for (const n of numbers)
      ids[n] = await findable(server, ann, { title: titleOf(n), content: `Of ${titleOf(n)}.` });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ids;
}

before(async () => {
  ann = await server.register();
});

test('200 what was typed comes first, however many newer titles begin with it', async () => {
  await publishMany((n) => `Zebu ${'old '.repeat(n % 3)}${n}`, 8);
  await publishMany((n) => `Zebulon ${n}`, many);
  for (const limit of ['8', '9', '20', '100']) {
    const titles = await titlesFor(server, 'zebu', { limit });
    const isTyped = titles.map((title) => title.startsWith('Zebu '));
    assert.deepEqual(isTyped.slice(0, 8), Array(8).fill(true), `limit=${limit}: ${titles.join()}`);
    assert.equal(isTyped.filter(Boolean).length, 8);
  }
  const paged: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Record<string, string> = cursor === null ? {} : { cursor };
    const { status, body } = await searchFor(server, 'zebu', { limit: '50', ...page });
    assert.equal(status, 200, JSON.stringify(body));
    paged.push(...body.items.map((item: { article: { title: string } }) => item.article.title));
    cursor = body.next_cursor;
  } while (cursor !== null);
  assert.equal(new Set(paged).size, paged.length);
  assert.ok(paged.slice(0, 8).every((title) => title.startsWith('Zebu ')));
  assert.ok(paged.length >= 100, String(paged.length));
});

test('200 what arrives while one pages pushes nothing out of what is ranked', async () => {
  await publishMany((n) => `Okapi ${n}`, many);
  const list = async (parameters: Readonly<Record<string, string>>) => {
    const { status, body } = await searchFor(server, 'okapi', { limit: '50', ...parameters });
    assert.equal(status, 200, JSON.stringify(body));
    const ids: string[] = body.items.map((item: { article: { id: string } }) => item.article.id);
    return { ids, cursor: body.next_cursor as string | null };
  };
  const wholeOf = async (between: () => Promise<unknown>) => {
    const first = await list({});
    await between();
    const ids = [...first.ids];
    for (let { cursor } = first; cursor !== null;) {
      const page = await list({ cursor });
      ids.push(...page.ids);
      cursor = page.cursor;
    }
    return ids;
  };
  const alone = await wholeOf(async () => undefined);
  const beside = await wholeOf(() => publishMany((n) => `Okapi that came later ${n}`, 20));
  assert.deepEqual(beside, alone);
});

test('200 a minus leaves out articles whose title has what is wanted', async () => {
  await findable(server, ann, {
    title: 'The albatross',
    content: 'It followed the frigate for days.',
  });
  await findable(server, ann, { title: 'Albatross alone', content: 'Over the sea.' });
  await findable(server, ann, { title: 'Ärger mit dem Albatross', content: 'Eine Fregatte.' });
  const rows: readonly (readonly [q: string, titles: readonly string[]])[] = [
    ['albatross -frigate', ['Albatross alone', 'Ärger mit dem Albatross']],
    ['albatross -frigate -ärger', ['Albatross alone']],
    ['albatross -fregatte -sea', ['The albatross']],
    ['albatross -"the frigate"', ['Albatross alone', 'Ärger mit dem Albatross']],
    ['albatros -frigate -sea', ['Ärger mit dem Albatross']],
    [
      '(albatross -frigate) OR (albatross -sea)',
      ['Albatross alone', 'Ärger mit dem Albatross', 'The albatross'],
    ],
  ];
  for (const [q, expected] of rows)
    assert.deepEqual((await titlesFor(server, q)).toSorted(), [...expected].toSorted(), q);
});

test('200 all words in the title come before any number of them in the text, on a page of any size', async () => {
  const inTitle = 'The narwhals of the northern sea and why they turn purple';
  const inText = 'Notes of a captain';
  await findable(server, ann, { title: inTitle, content: 'Nothing of this.', language: 'en' });
  const content = 'Purple narwhal. '.repeat(30);
  await findable(server, ann, { title: inText, content, language: 'en' });
  for (const limit of ['1', '2', '20', '100'])
    assert.equal((await titlesFor(server, 'purple narwhal', { limit }))[0], inTitle, limit);
});

test('200 a date long ago costs no more than one of this century: imports are found by their titles', async () => {
  await findable(server, ann, { title: 'Mentions', content: 'A word on quaggafish.' });
  for (const [year, title] of [
    ['1605', 'Quaggafish'],
    ['0001', 'Imports of year one: quaggafish'],
  ] as const) {
    const draft = await server.draft(ann, { title, content: 'Old.' });
    const { status, body } = await server.ask('POST', `/v1/articles/${draft.id}/publish`, {
      token: ann.token,
      key: true,
      body: { revision_id: draft.revision_id, published_at: `${year}-05-01T00:00:00.000Z` },
    });
    assert.equal(status, 200, JSON.stringify(body));
    await untilIndexed(server, draft.id);
  }
  const titles = await titlesFor(server, 'quaggafish');
  assert.deepEqual(titles, ['Quaggafish', 'Imports of year one: quaggafish', 'Mentions']);
});

test('400 a cursor made by hand', async () => {
  await findable(server, ann, { title: 'Tapir one', content: 'A tapir.' });
  await findable(server, ann, { title: 'Tapir two', content: 'A tapir.' });
  const { body } = await searchFor(server, 'tapir', { limit: '1' });
  const [made, score, id, shown, stage, asOf] = JSON.parse(
    Buffer.from(body.next_cursor, 'base64url').toString(),
  ) as readonly unknown[];
  const wrong = [
    [made, score, '\0', shown, stage, asOf],
    [made, score, id, shown, -1, asOf],
    [made, score, id, shown, stage, 8.64e15],
    [made, score, id, shown, stage],
  ];
  for (const value of wrong) {
    const cursor = Buffer.from(JSON.stringify(value)).toString('base64url');
    const answer = await searchFor(server, 'tapir', { limit: '1', cursor });
    assertProblem(answer, 'invalid-request');
  }
  const far = [made, score, id, shown, Number.MAX_SAFE_INTEGER, Date.UTC(9999, 11, 31)];
  const cursor = Buffer.from(JSON.stringify(far)).toString('base64url');
  assert.equal((await searchFor(server, 'tapir', { limit: '1', cursor })).status, 200);
});
