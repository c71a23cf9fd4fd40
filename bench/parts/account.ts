// An account with many articles and large files, and exports of it.
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { contentHash } from '../../packages/server/src/lib/canonical-json.ts';
import { bucketOf, newId } from '../../packages/server/src/lib/id.ts';
import { pngOfLength } from '../../packages/server/test/media-files.ts';
import { insertPublished } from '../../packages/server/test/published-rows.ts';
import type { PublishedRow } from '../../packages/server/test/published-rows.ts';
import { markdownOf, post } from './author.ts';
import type { Author } from './author.ts';

const MiB = 1024 * 1024;
const fileBytes = 5 * MiB;
const batch = 1_000;
const text = markdownOf(2_900);

/** An article with two revisions of about 3 KB. */
async function articleRows(bucket: number, n: number, image: string): Promise<PublishedRow[]> {
  const [id, first, second] = [newId(bucket), newId(bucket), newId(bucket)];
  const rows = [
    [first, null],
    [second, first],
  ] as const;
  return Promise.all(
    rows.map(async ([revision, previous]) => {
      const content = `${text}\n\n${image}${randomBytes(100).toString('base64')} ${n}\n`;
      const title = `Article ${n} of many`;
      const metadata = { topics: ['measuring'], n };
      const hash = await contentHash({ title, content, metadata });
      return { id, revision, previous, newest: second, title, content, times: 1, hash, metadata };
    }),
  );
}

/** Inserts published articles of the author. With `images`, each article shows one of them. */
export async function insertArticles(
  client: pg.Client,
  author: Author,
  count: number,
  images: readonly string[] = [],
): Promise<void> {
  const bucket = bucketOf(author.id);
  for (let from = 0; from < count; from += batch) {
    const rows = [];
    for (let n = from; n < Math.min(from + batch, count); n += 1) {
      const id = images[n % images.length];
      rows.push(...(await articleRows(bucket, n, id === undefined ? '' : `![](/media/${id})\n\n`)));
    }
    await insertPublished(client, author, rows);
  }
  await client.query('analyze');
}

/** Uploads images of 5 MiB and returns their ids. */
export async function uploadFiles(
  url: string,
  { token }: Author,
  count: number,
): Promise<string[]> {
  const bytes = pngOfLength(fileBytes);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id = '' } = await post(`${url}/v1/media`, { kind: 'image' }, token);
    // Each file has bytes of its own.
    const body = Buffer.from(bytes);
    randomBytes(32).copy(body, body.length - 64);
    const response = await fetch(`${url}/v1/media/${id}/content`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    if (!response.ok) throw new Error(`An upload answered ${response.status}.`);
    await response.arrayBuffer();
    ids.push(id);
  }
  return ids;
}

export interface ExportRecord {
  readonly id: string;
  readonly status: string;
  readonly byte_size: number;
  readonly counts: { readonly articles: number; readonly media: number };
}

/** Requests an export and waits until it is ready. */
export async function requestExport(url: string, author: Author): Promise<ExportRecord> {
  const { id } = await post(`${url}/v1/exports`, {}, author.token);
  for (;;) {
    const headers = { authorization: `Bearer ${author.token}` };
    const response = await fetch(`${url}/v1/exports/${id}`, { headers });
    const record = (await response.json()) as ExportRecord;
    if (record.status === 'ready') return record;
    if (record.status === 'failed') throw new Error('The export failed.');
    await wait(100);
  }
}

/** Returns the bytes of an archive as they arrive. */
export async function contentOf(
  url: string,
  author: Author,
  id: string,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${url}/v1/exports/${id}/content`, {
    headers: { authorization: `Bearer ${author.token}` },
  });
  if (!response.ok || response.body === null)
    throw new Error(`The download answered ${response.status}.`);
  return response.body;
}
