// What a page works with, and what it answers.
import type { FastifyRequest } from 'fastify';
import type { FeedWriting } from './feeds/writing.ts';
import type { PageServices } from './page-services.ts';
import type { Representation } from './respond.ts';
import type { Site } from './site.ts';

export interface PageContext extends Omit<PageServices, 'renderShort' | 'onError'> {
  readonly site: Site;
  /** Safe HTML of a comment; of a guide, with the level of the heading above it. Bounded in time for each page. */
  readonly shortText: (markdown: string, below?: number) => Promise<string>;
  readonly writeFeed: FeedWriting['writeFeed'];
}

/** Who asks for what: the names in the path, the query, the message. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly request: FastifyRequest;
}

/** Something to send, or the path of the one address that it has. */
export type PageAnswer = Representation | { readonly elsewhere: string };

export type PageHandler = (web: PageContext, asked: PageRequest) => Promise<PageAnswer>;

/** Query parameter; undefined where it is empty or missing. */
export function asksFor({ query }: PageRequest, name: string): string | undefined {
  const value = query.get(name);
  return value === null || value === '' ? undefined : value;
}
