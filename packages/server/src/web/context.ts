// What a page handler receives and returns.
import type { FastifyRequest } from 'fastify';
import type { FeedWriting } from './feeds/writing.ts';
import type { PageServices } from './page-services.ts';
import type { Representation } from './respond.ts';
import type { Site } from './site.ts';

export interface PageContext extends Omit<PageServices, 'renderShort' | 'onError'> {
  readonly site: Site;
  /**
   * Renders a comment or a guide as safe HTML. For a guide, `below` is the level of the heading above it. The
   * time is bounded for each page.
   */
  readonly shortText: (markdown: string, below?: number) => Promise<string>;
  readonly writeFeed: FeedWriting['writeFeed'];
}

/** A request for a page: the parameters of the path, the query and the raw request. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly request: FastifyRequest;
}

/** A representation to send, or the canonical path to redirect to. */
export type PageAnswer = Representation | { readonly elsewhere: string };

export type PageHandler = (web: PageContext, asked: PageRequest) => Promise<PageAnswer>;

/** Returns a query parameter; undefined where it is empty or missing. */
export function asksFor({ query }: PageRequest, name: string): string | undefined {
  const value = query.get(name);
  return value === null || value === '' ? undefined : value;
}
