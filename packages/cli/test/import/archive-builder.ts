// Builds an export from what the API of a service answers, in the layout that the service itself writes.
import { createHash } from 'node:crypto';
import type { Client } from '@colophon/sdk';
import { zipOf } from './zip-writer.ts';
import type { Entry } from './zip-writer.ts';

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Adds checksums and a manifest to the files of an export. */
export function sealed(
  files: readonly Entry[],
  origin: string,
  members: Readonly<Record<string, unknown>> = {},
): readonly Entry[] {
  const list = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`).join('');
  const manifest = {
    format: 'colophon-export',
    version: 1,
    origin,
    exported_at: '2026-11-01T10:00:00.000Z',
    principal: { id: '01J8ZQ4Y7D3M5N6P8R9S0T1V2W', kind: 'human', username: 'ada' },
    counts: {},
    checksums_sha256: sha256(list),
    ...members,
  };
  const own = [
    { name: 'manifest.json', content: JSON.stringify(manifest) },
    { name: 'checksums.txt', content: list, isDeflated: true },
  ];
  return [...own, ...files];
}

async function articleFiles(client: Client, id: string): Promise<readonly Entry[]> {
  const article = await client.readArticle({ id });
  const summaries = await collect(client.each.listRevisions({ id }));
  const ids = summaries.map(({ revision_id }) => revision_id).toReversed();
  const revisions = await Promise.all(
    ids.map((revision_id) => client.readRevision({ id, revision_id })),
  );
  const published = revisions.filter(({ published_at }) => published_at !== null);
  const proofs = await Promise.all(
    published.map(async ({ revision_id }) => ({
      name: `proofs/${id}/${revision_id}.json`,
      content: JSON.stringify(await client.readProof({ id, revision_id })),
    })),
  );
  const content = JSON.stringify({ article, revisions });
  return [{ name: `data/articles/${id}.json`, content, isDeflated: true }, ...proofs];
}

/** Returns the files of an export of the client's account, in the order of the archive. */
async function exportedFiles(client: Client): Promise<readonly Entry[]> {
  const { principal } = await client.readMe();
  const author = principal.id;
  const lists = [{}, { visibility: 'unlisted' }, { visibility: 'private' }, { status: 'draft' }];
  const ids = new Set<string>();
  for (const filter of lists) {
    const input = { author, ...filter } as Parameters<typeof client.listArticles>[0];
    for (const { id } of await collect(client.each.listArticles(input))) ids.add(id);
  }
  const media = await collect(client.each.listMedia({ status: 'ready' }));
  const bytes = await Promise.all(
    media.map(async ({ id }) => ({
      name: `media/${id}.png`,
      content: new Uint8Array(await (await client.readMediaContent({ id })).arrayBuffer()),
    })),
  );
  const records = media.map((record) => `${JSON.stringify(record)}\n`).join('');
  const articles = await Promise.all([...ids].map((id) => articleFiles(client, id)));
  return [
    ...articles.flat(),
    { name: 'data/comments.jsonl', content: '{}\n' },
    { name: 'data/media.jsonl', content: records },
    ...bytes,
  ];
}

/** Returns an export of the client's account. */
export async function exported(client: Client, origin: string): Promise<Buffer<ArrayBuffer>> {
  return zipOf(sealed(await exportedFiles(client), origin));
}
