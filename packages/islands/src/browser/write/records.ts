// What this device has of one editor: a record of what was typed, and one of what the service has of it.
import type { Revision, Texts } from './text.ts';

/** A request that may have been carried out: it is sent again with the same key, so that it acts once. */
export interface Pending extends Texts {
  readonly key: string;
  /** The revision that it follows; null for the first one of a new article. */
  readonly after: string | null;
}

/** What was typed. It is written at every change, so it has nothing else. */
export interface Typed extends Texts {
  readonly editor: string;
  readonly at: number;
}

/** What the server has of it. It is written at every save. */
export interface Sent {
  readonly editor: string;
  readonly account: string;
  /** null until the article exists. */
  readonly article: string | null;
  readonly base: Revision | null;
  readonly pending: Pending | null;
  /** Texts that were not chosen and are not in the history yet. */
  readonly asides?: readonly Texts[];
}

export interface Left {
  readonly typed: Typed;
  readonly sent: Sent;
}
