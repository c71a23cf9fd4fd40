// What a page handler receives and returns.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#http';
import type { joinedWork } from '#lib/joined-work';
import type { Client, MarkedHunk } from '@colophon/text';
import type { ScriptPaths } from './assets.ts';
import type { ChangedQuotesOf } from './changed-quotes.ts';
import type { Draft } from './forms/draft.ts';
import type { Issued } from './forms/issued.ts';
import type { Refused } from './forms/refused.ts';
import type { FeedWriting } from './feeds/writing.ts';
import type { KeptPages } from './kept-pages.ts';
import type { LongText } from './long-texts.ts';
import type { Diff, PageServices } from './page-services.ts';
import type { Layout, LayoutTask } from './pictures/graph-layout.ts';
import type { Representation } from './respond.ts';
import type { Site } from './site.ts';

interface ShortTexts {
  (markdown: string, below?: number): Promise<string>;
  /** Whether no text of the page so far had to be shown as plain text for want of time. */
  readonly isWhole: () => boolean;
}

export interface PageContext extends Omit<
  PageServices,
  'renderShort' | 'markWords' | 'changedQuotes' | 'onError' | 'callerOf' | 'readForm'
> {
  readonly site: Site;
  /**
   * Renders a comment or a guide as safe HTML. For a guide, `below` is the level of the heading above it. The
   * time is bounded for each page.
   */
  readonly shortText: ShortTexts;
  /** Returns the hunks of a diff with the words that differ. */
  readonly markWords: (hunks: Diff['hunks']) => Promise<readonly MarkedHunk[]>;
  readonly changedQuotes: ChangedQuotesOf;
  /** Lays a graph out in a thread; null when it could not be done in time. */
  readonly layOut: (task: LayoutTask) => Promise<Layout | null>;
  /** Pages and feeds for readers who are signed out. */
  readonly keptPages: KeptPages;
  /** Shares a read between those who ask for the same page while signed out. */
  readonly joined: ReturnType<typeof joinedWork>;
  readonly writeFeed: FeedWriting['writeFeed'];
  readonly scripts: ScriptPaths;
  /** Whose request it is, for costly work that is shared between clients; undefined for guides. */
  readonly client: Client | undefined;
  readonly longText: LongText;
  /** Whose session the request has; null without one. */
  readonly caller: Caller | null;
}

/** A request for a page: the parameters of the path, the query and the raw request. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly request: FastifyRequest;
  /** The form that was sent to the page and refused, if that is why it is shown. */
  readonly refused?: Refused;
  /** The form that was sent to be looked at before it is carried out. */
  readonly draft?: Draft;
  /** What the form that was sent to the page made, to be shown in this answer only. */
  readonly issued?: Issued;
}

/** A representation to send, or the canonical path to redirect to. */
export type PageAnswer = Representation | Elsewhere;

export interface Elsewhere {
  readonly elsewhere: string;
  /** The page asked for has not moved: the reader signs in first, or its address has more than it needs. */
  readonly temporary?: true;
}

export type PageHandler = (web: PageContext, asked: PageRequest) => Promise<PageAnswer>;

/** Returns a query parameter; undefined where it is empty or missing. */
export function queryValue({ query }: PageRequest, name: string): string | undefined {
  const value = query.get(name);
  return value === null || value === '' ? undefined : value;
}
