// Lists of articles whose titles, topics and metadata are made to be costly: the event loop turns while they are made.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { subscribers } from '#test/derived-subscribers';
import { startOutbox } from '#outbox';
import { untilSettled } from './edges.ts';
import { effort } from './effort.ts';
import { startServer } from './harness.ts';
import { leastTurn, slowness } from './longest-turn.ts';

/** With a pipeline of what lists need: the share images would take more than all the rest. */
const slow = slowness();
const server = await startServer({ ROLE: 'web' });
const { connection, db, log } = server.services;
const pipeline = startOutbox({ connection, db, log, subscribers, concurrency: 4 });
after(async () => {
  await pipeline[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const author = await server.register();

/** A turn with half a page of them is half as long, and still too long by far. */
const perPage = effort(limits.page_limit_max / 2, limits.page_limit_max);

/** Each character of the title becomes 18, each entry of the topics is folded, and no two members share a name. */
function costly(n: number) {
  const names = Array.from({ length: 650 }, (_, m) => `m${(n * 1_000 + m).toString(36)}`);
  const members = names.map((name) => [name, {}]);
  const topics = Array.from({ length: 20 }, (_, m) => `${'\u0130'.repeat(190)}${m}`);
  return {
    title: `${'\ufdfa'.repeat(296)}${n}`,
    content: 'A river.',
    metadata: { ...Object.fromEntries(members), topics },
  };
}

/** The bytes alone: to parse them here would be work on the same event loop. */
async function read(path: string): Promise<Buffer> {
  const answer = await fetch(`${server.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${author.token}`, 'accept-encoding': 'identity' },
  });
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}

const made = Array.from({ length: perPage }, (_, n) => costly(n));
const ids: string[] = [];
for (const article of made) ids.push((await server.published(author, article)).id);
await untilSettled(server);

const lists = {
  'the list': `/v1/articles?limit=${perPage}`,
  'the list of the caller’s own': `/v1/articles?status=published&limit=${perPage}`,
  'the feed': `/v1/feed?limit=${perPage}`,
  'what trends': `/v1/feed?kind=trending&limit=${perPage}`,
  'a search': `/v1/search?q=river&limit=${perPage}`,
  'the sitemap': '/sitemaps/1.xml',
};

for (const [name, path] of Object.entries(lists)) {
  test(`200 for ${name}, and no long turn of the event loop`, async () => {
    const bytes = await read(path);
    // In one turn a whole page took some 200 ms.
    const turn = await leastTurn(50 * slow, () => read(path));
    assert.ok(turn < 50 * slow, `${turn} ms`);
    if (!path.startsWith('/v1/')) return;
    const { items } = JSON.parse(bytes.toString()) as {
      items: { id?: string; metadata?: unknown; article?: { id: string; metadata: unknown } }[];
    };
    assert.equal(items.length, perPage);
    for (const item of items) {
      const { id, metadata } = item.article ?? item;
      assert.deepEqual(metadata, made[ids.indexOf(id ?? '')]?.metadata);
    }
  });
}
