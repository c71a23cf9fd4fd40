// The client before a network that misbehaves: every logical call takes effect exactly once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, isProblem, uploadFile } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { faults, startFaultyProxy } from '../../../sdk/test/faulty-proxy.ts';
import type { Fault } from '../../../sdk/test/faulty-proxy.ts';
import { effort } from '../effort.ts';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { pngOf } from '../media-files.ts';
import { seed } from '../seed.ts';

const articles = effort(8, 300);

let server: TestServer;
before(async () => {
  // Its pipeline would make the variants of every image, each in a process.
  server = await startServer({ ROLE: 'web' });
});
after(() => server[Symbol.asyncDispose]());

/** Two of five requests meet a fault, in the order of the seed (mulberry32). */
function faultsFor(met: Set<string>): () => Fault | undefined {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const all = Object.entries(faults);
  return () => {
    if (next() >= 0.4) return undefined;
    const [name, fault] = all[Math.floor(next() * all.length)] ?? [];
    met.add(name ?? '');
    return fault;
  };
}

/** A deletion whose answer was lost finds nothing at its retry. */
async function remove(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error: unknown) => {
    const gone = isProblem(error, 'gone') || isProblem(error, 'not-found');
    if (!gone || !error.outcomeUnknown) throw error;
  });
}

async function write(client: Client, number: number, other: string): Promise<void> {
  const { id, revision_id } = await client.createArticle({ title: `A${number}`, content: 'One.' });
  await client.createRevision({ id, content: 'Two.', if_match: revision_id });
  await client.publishArticle({ id });
  const comment = await client.createComment({ id, content: `To ${number}` });
  await client.createReply({ id: comment.id, content: 'Reply.' });
  const withdrawn = await client.createComment({ id, content: 'Withdrawn.' });
  await remove(client.deleteComment({ id: withdrawn.id }));
  await client.createEdge({ src_article_id: id, kind: 'cites', dst_article_id: other });
  const content = new Blob([new Uint8Array(pngOf(8 + number, 8))], { type: 'image/png' });
  const media = await uploadFile(client, { content, alt_text: `Picture ${number}` });
  assert.equal(media.status, 'ready');
}

async function all<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test(`every call of ${articles} articles takes effect exactly once (SEED=${seed})`, async () => {
  const { token, username } = await server.register();
  const other = await server.published(await server.register());
  const met = new Set<string>();
  await using proxy = await startFaultyProxy(server.baseUrl);
  proxy.plan(faultsFor(met));
  // A response that never ends costs the time-out.
  const retry = { attempts: 40, baseMs: 1, capMs: 20, timeoutMs: 1_000 };
  const client = createClient({ baseUrl: proxy.baseUrl, token, retry });
  for (let number = 0; number < articles; number += 1) await write(client, number, other.id);

  const direct = createClient({ baseUrl: server.baseUrl, token });
  const written = await all(direct.each.listArticles({ author: username, limit: 100 }));
  const titles = Array.from({ length: articles }, (_, number) => `A${number}`);
  assert.deepEqual(written.map(({ title }) => title).toSorted(), titles.toSorted());
  assert.equal((await direct.listArticles({ author: username, status: 'draft' })).items.length, 0);
  for (const { id } of written) {
    const revisions = await all(direct.each.listRevisions({ id }));
    assert.equal(revisions.length, 2);
    const statuses = (await all(direct.each.listComments({ id }))).map(({ status }) => status);
    assert.equal(statuses.length, 3);
    const edges = await all(direct.each.listArticleEdges({ id, direction: 'out' }));
    assert.equal(edges.length, 1);
  }
  const media = await all(direct.each.listMedia({ limit: 100 }));
  assert.equal(media.length, articles);
  assert.ok(media.every(({ status }) => status === 'ready'));
  assert.ok(met.size >= 7, [...met].join(', '));
});
