// Compares two accounts article by article: what an import must keep, and what it must say about the origin.
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Client, ItemOf } from '@colophon/sdk';
import canonicalize from 'canonicalize';
import { restoreLinks } from '../../src/import/archive/media-links.ts';

type Summary = ItemOf<'listArticles'>;
type Revision = Awaited<ReturnType<Client['readRevision']>>;
// Free-form metadata is looked at by name.
// oxlint-disable-next-line typescript/no-explicit-any
type Origin = any;

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Returns all articles of the client's account, oldest first. */
export async function allArticles(client: Client): Promise<readonly Summary[]> {
  const { id: author } = (await client.readMe()).principal;
  const lists = [
    client.each.listArticles({ author }),
    client.each.listArticles({ author, visibility: 'unlisted' }),
    client.each.listArticles({ author, visibility: 'private' }),
    client.each.listArticles({ author, status: 'draft' }),
  ];
  const articles = new Map<string, Summary>();
  for (const list of lists) for (const each of await collect(list)) articles.set(each.id, each);
  return [...articles.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function revisionsOf(client: Client, id: string): Promise<readonly Revision[]> {
  const list = await collect(client.each.listRevisions({ id }));
  const ids = list.map(({ revision_id }) => revision_id).toReversed();
  return Promise.all(ids.map((revision_id) => client.readRevision({ id, revision_id })));
}

function signatureHolds({ signing_input, signature, public_key: x }: Origin): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(signing_input), key, Buffer.from(signature, 'base64url'));
}

function contentHash(text: { title: string; content: string; metadata: unknown }): string {
  const form = canonicalize(text) ?? '';
  return `sha256:${createHash('sha256').update(form).digest('hex')}`;
}

/** The text at its origin, made again from the imported text and its metadata. */
function originalText({ title, content, metadata }: Revision) {
  const { origin, ...own } = metadata as { origin: Origin };
  const older = origin.origin === undefined ? {} : { origin: origin.origin };
  return {
    title,
    content: restoreLinks(content, origin.links ?? {}),
    metadata: { ...own, ...older },
  };
}

function assertRevision(before: Revision, after: Revision, number: number): void {
  const { origin } = after.metadata as { origin: Origin };
  const { title, content, metadata } = before;
  assert.deepEqual(originalText(after), { title, content, metadata });
  assert.equal(origin.number, number);
  assert.equal(origin.revision_id, before.revision_id);
  assert.equal(origin.created_at, before.created_at);
  assert.equal(origin.published_at ?? null, before.published_at);
  assert.equal(origin.content_hash, contentHash(originalText(after)));
  assert.equal(after.published_at === null, before.published_at === null);
  if (before.signature === null) assert.equal(origin.signature, undefined);
  else {
    assert.equal(origin.key_id, before.signature.key_id);
    assert.ok(origin.signing_input.endsWith(origin.content_hash));
    assert.ok(signatureHolds(origin));
  }
}

function keptFields(article: Summary) {
  const { title, status, visibility, language, published_at, canonical_url, topics } = article;
  const { authorship_disclosure } = article;
  return {
    title,
    status,
    visibility,
    language,
    published_at,
    canonical_url,
    topics,
    authorship_disclosure,
  };
}

async function assertArticle(
  from: Client,
  to: Client,
  [before, after]: readonly [Summary, Summary],
) {
  const publishedNow = before.status === 'draft' ? {} : { published_at: before.published_at };
  assert.deepEqual(keptFields(after), { ...keptFields(before), ...publishedNow });
  assert.equal(after.featured_media_id === null, before.featured_media_id === null);
  const imported = await revisionsOf(to, after.id);
  // A draft began with a text without links, which was never published.
  const [first] = imported;
  const isUnlinked = (first?.metadata as { origin?: Origin })?.origin?.unlinked === true;
  if (isUnlinked) assert.equal(first?.published_at, null);
  const revisions = [
    await revisionsOf(from, before.id),
    imported.slice(Number(isUnlinked)),
  ] as const;
  assert.equal(revisions[1].length, revisions[0].length);
  for (const [index, revision] of revisions[0].entries()) {
    const same = revisions[1][index];
    assert.ok(same);
    assertRevision(revision, same, index + 1);
  }
}

/** Every article of `from`, and nothing else, is at `to`. */
export async function assertSameArticles(from: Client, to: Client): Promise<void> {
  const [before, after] = [await allArticles(from), await allArticles(to)];
  assert.equal(after.length, before.length);
  for (const article of before) {
    const same = after.filter(
      ({ metadata }) => (metadata as { origin: Origin }).origin?.article_id === article.id,
    );
    assert.equal(same.length, 1);
    const [imported] = same;
    if (imported !== undefined) await assertArticle(from, to, [article, imported]);
  }
}

/** Every file of `from` is at `to` once. */
export async function assertSameMedia(from: Client, to: Client): Promise<void> {
  const sums = async (client: Client) => {
    const media = await collect(client.each.listMedia({ status: 'ready' }));
    return media
      .map(({ checksum_sha256 }) => checksum_sha256 ?? '')
      .toSorted((a, b) => a.localeCompare(b));
  };
  assert.deepEqual(await sums(to), await sums(from));
}
