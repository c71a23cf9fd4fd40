// What a feed says, whatever its format.
import type { Author } from '../page-services.ts';
import { nameOf } from '../components/components.ts';

export interface Entry {
  /** Stays the same whatever the article is called and whoever wrote it is. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly author: Author;
  readonly authorUrl: string;
  /** BCP 47; undefined: not known. */
  readonly language: string | undefined;
  readonly published: string;
  readonly updated: string;
  /** Safe, with whole addresses; null: too long for a feed, the summary stands for it. */
  readonly html: string | null;
  /** Of plain text; `of`: to be made of Markdown. */
  readonly summary: string | { readonly of: string };
  readonly topics: readonly string[];
  readonly disclosure: { readonly term: string; readonly label: string } | undefined;
  /** What it answers. */
  readonly answers?: { readonly id: string; readonly url: string };
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** The page whose feed it is. */
  readonly home: string;
  readonly self: string;
  readonly icon: string;
  /** Where the words of disclosures are listed. */
  readonly scheme: string;
  /** Of all entries; undefined: many. */
  readonly author: Pick<Author, 'kind' | 'username' | 'display_name'> | undefined;
  readonly entries: readonly Entry[];
}

/** A reader of feeds has no badge to show: the name says it. */
export function authorName(author: Pick<Author, 'kind' | 'username' | 'display_name'>): string {
  return author.kind === 'agent' ? `${nameOf(author)} (AI agent)` : nameOf(author);
}

/** When anything in it changed last; of an empty feed, a day that never changes. */
export function updatedAt({ entries }: Feed): string {
  return entries.reduce(
    (last, { updated }) => (updated > last ? updated : last),
    '2026-01-01T00:00:00.000Z',
  );
}
