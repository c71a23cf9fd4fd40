// What the account has already: articles by their id, imported ones also by their origin, and files by their checksum.
import type { Client } from '@colophon/sdk';
import { keyText, originOf } from './origin.ts';
import type { Pace } from './pace.ts';

/** An article of the account, as a list names it. */
export interface Original {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  /** Of the text that readers see, or of the newest one of a draft. */
  readonly contentHash: string;
}

/** An article of the account that an import created. */
export interface Present {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly visibility: string;
  /** The number of the text that readers see, or of the newest one of a draft; from 1. */
  readonly number: number;
  readonly contentHash: string;
  /** Its only text has no links to other articles yet. */
  readonly isUnlinked: boolean;
  readonly revisionId: string;
  readonly hasFeatured: boolean;
}

export interface StoredMedia {
  readonly id: string;
  readonly url: string;
}

export interface Inventory {
  /** Every article of the account, by its id: an export of it may be imported again. */
  readonly originals: Map<string, Original>;
  readonly articles: Map<string, Present>;
  readonly media: Map<string, StoredMedia>;
}

/** The members of an article that the inventory reads: a summary, or a whole article. */
interface Listed {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly visibility: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly revision_id: string;
  readonly featured_media_id: string | null;
}

/** Returns the mark of an article that was imported; undefined for any other article. */
export function presentOf(article: Listed): (Present & { readonly key: string }) | undefined {
  const origin = originOf(article.metadata);
  if (origin === undefined) return undefined;
  const { id, url, status, visibility, revision_id, featured_media_id } = article;
  return {
    key: keyText({ service: origin.service, id: origin.article_id }),
    id,
    url,
    status,
    visibility,
    number: origin.number,
    contentHash: origin.content_hash,
    isUnlinked: origin.unlinked === true,
    revisionId: revision_id,
    hasFeatured: featured_media_id !== null,
  };
}

const pageSize = 100;

/** Together, these lists contain every article of the author. */
const lists = [
  {},
  { visibility: 'unlisted' },
  { visibility: 'private' },
  { status: 'draft' },
  { status: 'hidden' },
] as const;

async function readArticles(client: Client, pace: Pace, author: string) {
  const originals: Inventory['originals'] = new Map();
  const articles: Inventory['articles'] = new Map();
  for (const filter of lists) {
    let cursor: string | null | undefined;
    do {
      const after = cursor ?? undefined;
      const input = { ...filter, author, limit: pageSize, cursor: after };
      const page = await pace.call(() => client.listArticles(input));
      for (const item of page.items) {
        const { id, url, status, content_hash: contentHash } = item;
        originals.set(id, { id, url, status, contentHash });
        const present = presentOf(item);
        // Lists are newest first: the oldest of several is the one that counts.
        if (present !== undefined) articles.set(present.key, present);
      }
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
  return { originals, articles };
}

async function readMedia(client: Client, pace: Pace) {
  const media = new Map<string, StoredMedia>();
  let cursor: string | null | undefined;
  do {
    const input = { status: 'ready', limit: pageSize, cursor: cursor ?? undefined } as const;
    const page = await pace.call(() => client.listMedia(input));
    for (const { id, url, checksum_sha256: sha256 } of page.items) {
      if (sha256 !== null && url !== null) media.set(sha256, { id, url });
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return media;
}

/** Reads all articles and files of the account, a page at a time. Texts are not kept. */
export async function readInventory(
  client: Client,
  pace: Pace,
  author: string,
): Promise<Inventory> {
  return {
    ...(await readArticles(client, pace, author)),
    media: await readMedia(client, pace),
  };
}
