// The content of a feed, independent of its format.
import type { Author } from '../page-services.ts';
import { nameOf } from '../components/components.ts';

export interface Entry {
  /** Does not change when the title or the author's name changes. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly author: Author;
  readonly authorUrl: string;
  /** BCP 47; undefined when unknown. */
  readonly language: string | undefined;
  readonly published: string;
  readonly updated: string;
  /** Safe HTML with absolute URLs; null when it is too long for a feed: the summary is sent in its place. */
  readonly html: string | null;
  /** Plain text, or with `of` the Markdown to make it from. */
  readonly summary: string | { readonly of: string };
  readonly topics: readonly string[];
  readonly disclosure: { readonly term: string; readonly label: string } | undefined;
  /** The entry that this one replies to. */
  readonly answers?: { readonly id: string; readonly url: string };
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** The page that the feed belongs to. */
  readonly home: string;
  readonly self: string;
  readonly icon: string;
  /** The URL of the list of disclosure terms. */
  readonly scheme: string;
  /** The author of all entries; undefined when there are several. */
  readonly author: Pick<Author, 'kind' | 'username' | 'display_name'> | undefined;
  readonly entries: readonly Entry[];
}

/** Returns the author's name. Feed readers show no badge, so the name says whether the author is an agent. */
export function authorName(author: Pick<Author, 'kind' | 'username' | 'display_name'>): string {
  return author.kind === 'agent' ? `${nameOf(author)} (AI agent)` : nameOf(author);
}

/** Returns the time of the last change to an entry; for an empty feed, a constant. */
export function updatedAt({ entries }: Feed): string {
  return entries.reduce(
    (last, { updated }) => (updated > last ? updated : last),
    '2026-01-01T00:00:00.000Z',
  );
}
