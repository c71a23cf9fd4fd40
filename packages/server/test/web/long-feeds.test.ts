// Feeds of long texts: how much of them a feed contains, before and after the pipeline has run.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchPage } from '#test/page';

/** Without a pipeline, so that what a feed does not need stays as it was written. */
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

interface Item {
  readonly title: string;
  readonly content_html?: string;
  readonly content_text?: string;
}

async function feedOf({ username }: Human): Promise<readonly Item[]> {
  const { status, text } = await fetchPage(server, `/@${username}/feed.json`);
  assert.equal(status, 200);
  return JSON.parse(text).items;
}

/** Titles of the entries with their whole text, in the order of the feed. */
function wholeOf(items: readonly Item[]): readonly string[] {
  for (const { content_html, content_text } of items)
    assert.equal(content_html === undefined, content_text !== undefined);
  return items.filter(({ content_html }) => content_html !== undefined).map(({ title }) => title);
}

async function renderedOf({ id }: Human): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from renderings
    where bucket = ${bucketOf(id)}`);
  return row?.count ?? 0;
}

async function publishAll(texts: readonly string[]): Promise<Human> {
  const human = await server.register();
  // Titles count down to 1, the newest.
  for (const [index, content] of texts.toReversed().entries())
    await server.published(human, { title: `${texts.length - index}`, content });
  return human;
}

test('200 whole texts until a million characters are full, and of the rest the excerpt', async () => {
  const long = (name: string) => `Text ${name}. ${'word '.repeat(37_000)}`;
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const texts = [long('x').repeat(2), ...names.map(long), 'Short.'];
  const human = await publishAll(texts);
  const items = await feedOf(human);
  assert.equal(items.length, texts.length);
  assert.deepEqual(wholeOf(items), ['2', '3', '4', '5', '6'], 'the first is too long by itself');
  assert.equal(items.at(-1)?.content_text, 'Short.');
  assert.equal(await renderedOf(human), 5, 'the database was asked for no other text');
  assert.deepEqual(await feedOf(human), items, 'the same of rendered texts');
  for (const [format, whole] of [
    ['atom', '<content '],
    ['rss', '<content:encoded>'],
  ] as const) {
    const { text } = await fetchPage(server, `/@${human.username}/feed.${format}`);
    assert.equal(text.split(whole).length - 1, 5, format);
    assert.ok(text.length < 1_100_000, format);
  }
});

test('200 what HTML adds to a text counts as well', async () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
    (name) => `${name} ${'&'.repeat(37_000)}`,
  );
  const human = await publishAll(texts);
  const items = await feedOf(human);
  assert.deepEqual(wholeOf(items), ['1', '2', '3', '4', '5']);
  assert.deepEqual(await feedOf(human), items, 'the same of rendered texts');
});
