// GET /v1/search?type=comment over HTTP, with the pipeline stopped between a change and its consequences.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { allIds, askSearch, derive, hits, idsOf } from '#test/search';

let server: TestServer;
let ann: Human;
let article: string;

before(async () => {
  server = await startServer({ ROLE: 'web' });
  ann = await server.register();
  article = (await server.published(ann, { language: 'en' })).id;
});

after(() => server[Symbol.asyncDispose]());

const index = () => derive(server, 'comment.changed');

/** Creates an indexed comment. */
async function say(content: string, on = article, by = ann): Promise<string> {
  const { id } = await comment(server, by, on, { content });
  await index();
  return id;
}

async function findComments(q: string, more: Readonly<Record<string, string>> = {}) {
  return idsOf(await hits(server, { type: 'comment', q, ...more }));
}

test('200 a comment is found by its words in all their forms, with the ordinary record', async () => {
  const id = await say('The quagga was *galloping* over the fences.');
  const [hit, ...more] = await hits(server, { type: 'comment', q: 'gallop fence' });
  assert.equal(more.length, 0);
  assert.equal(hit.type, 'comment');
  const { body } = await server.ask('GET', `/v1/comments/${id}`);
  assert.deepEqual(hit.comment, body);
  assert.deepEqual([hit.article, hit.principal], [undefined, undefined]);
});

test('200 quotes, minus and OR', async () => {
  const id = await say('A blue okapi met a yellow tapir');
  for (const q of [
    'okapi tapir',
    '"blue okapi"',
    'okapi -zebu',
    'zebu OR tapir',
    '"met a yellow tapir"',
  ])
    assert.deepEqual(await findComments(q), [id], q);
  for (const q of ['okapi -tapir', '"okapi blue"', 'okapi zebu', '-okapi', '""', '-', '!'])
    assert.deepEqual(await findComments(q), [], q);
});

test('200 other scripts, and the words of other languages', async () => {
  const russian = (await server.published(ann, { language: 'ru' })).id;
  const id = await say('Мы читали книги', russian);
  assert.deepEqual(await findComments('книга'), [id]);
  const chinese = await say('我们研究长颈鹿');
  assert.deepEqual(await findComments('长颈鹿'), [chinese]);
  assert.deepEqual(await findComments('颈鹿'), [chinese]);
});

test('200 the snippet is plain text around the first good match, with ranges in code points', async () => {
  await say(`${'Nothing of this is it. '.repeat(40)}\n\n🦉🦉 The **narwhals** <b>swam</b> away.`);
  const [{ snippet }] = await hits(server, { type: 'comment', q: 'narwhal swam' });
  const points = [...snippet.text];
  const words = snippet.matches.map(([start, end]: [number, number]) =>
    points.slice(start, end).join(''),
  );
  assert.deepEqual(words, ['narwhals', 'swam']);
  assert.match(snippet.text, /🦉🦉 The narwhals swam away\.$/u);
  assert.ok(points.length <= 240);
  assert.equal(snippet.trust, 'untrusted');
});

test('200 filters: author by id and by name, kind, since and until', async () => {
  const agent = await createAgent(server, ann);
  const first = await say('A filtered pangolin');
  const second = await say('A filtered pangolin', article, agent);
  const { body: record } = await server.ask('GET', `/v1/comments/${second}`);
  const at = record.created_at as string;
  const rows: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{}, [second, first]],
    [{ author: ann.id }, [first]],
    [{ author: ann.username }, [first]],
    [{ author: agent.username }, [second]],
    [{ author: 'nobody-at-all' }, []],
    [{ author: newId(3) }, []],
    [{ kind: 'agent' }, [second]],
    [{ kind: 'human' }, [first]],
    [{ kind: 'human', author: agent.id }, []],
    [{ since: at }, [second]],
    [{ until: at }, [first]],
    [{ since: at, author: ann.id }, []],
    [{ until: at, author: ann.id }, [first]],
    [{ until: '2020-01-01T00:00:00.000Z' }, []],
  ];
  for (const [filters, ids] of rows)
    assert.deepEqual(await findComments('pangolin', filters), ids, JSON.stringify(filters));
});

for (const [filter, value] of [
  ['topic', 'a'],
  ['language', 'en'],
  ['disclosure', 'human_authored'],
  ['signed', 'true'],
] as const) {
  test(`400 invalid-request: ${filter} is not a filter of comments`, async () => {
    const answer = await askSearch(server, { type: 'comment', q: 'x', [filter]: value });
    assertProblem(answer, 'invalid-request');
    assert.match(answer.body.detail, /author, kind, since, until/);
  });
}

test('400 invalid-request: a cursor of another search', async () => {
  for (let one = 0; one < 2; one += 1) await say('cursored gibbon');
  const { body } = await askSearch(server, { type: 'comment', q: 'gibbon', limit: '1' });
  const cursor = body.next_cursor as string;
  assertProblem(
    await askSearch(server, { type: 'comment', q: 'gibbons', cursor }),
    'invalid-request',
  );
  assertProblem(
    await askSearch(server, { type: 'comment', q: 'gibbon', cursor: 'x' }),
    'invalid-request',
  );
});

test('200 a comment is found only after its subscriber, and by no word that it does not have', async () => {
  const { id } = await comment(server, ann, article, { content: 'A late axolotl' });
  assert.deepEqual(await findComments('axolotl'), []);
  await index();
  assert.deepEqual(await findComments('axolotl'), [id]);
});

test('200 paging while comments arrive: each that was there comes once', async () => {
  const ids = [];
  for (let one = 0; one < 23; one += 1) ids.push(await say(`paged dugong ${one % 5}`));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { type: 'comment', q: 'dugong', limit: '5', ...(cursor && { cursor }) };
    const { body } = await askSearch(server, query);
    seen.push(...idsOf(body.items));
    cursor = body.next_cursor ?? undefined;
    await say('paged dugong that comes late');
  } while (cursor !== undefined);
  assert.equal(new Set(seen).size, seen.length);
  for (const id of ids) assert.ok(seen.includes(id));
});

/** Comments with the same words, inserted without the API. */
async function writeComments(words: string, count: number): Promise<void> {
  const bucket = bucketOf(article);
  const ids = Array.from({ length: count }, () => newId(bucket));
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into comments (bucket, id, article_id, depth, author_id, content, created_at)
      select ${bucket}, id, ${article}, 0, ${ann.id}, ${words}, now()
      from unnest(${ids}::text[]) as id`);
    await tx.run(sql`
      insert into comment_search (bucket, comment_id, by_agent, configuration, document, indexed_at)
      select ${bucket}, id, false, 'simple', to_tsvector('simple', ${words}), now()
      from unnest(${ids}::text[]) as id`);
  });
}

test('200 a rare word is found behind thousands of newer comments, a common one among the newest', async () => {
  const rare = await say('A singular thylacine');
  await writeComments('everyday chatter', 7_000);
  assert.deepEqual(await findComments('thylacine'), [rare]);
  assert.deepEqual(await findComments('thylacine', { author: ann.id }), [rare]);
  const common = await allIds(server, { type: 'comment', q: 'chatter', limit: '100' });
  assert.equal(common.length, limits.search_results_max);
  assert.equal(new Set(common).size, common.length);
});
