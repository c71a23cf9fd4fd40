// The client as its users see it: methods of the contract, lists, and the feed of events.
import type { EventOf, EventType, Lists, Methods, ReplyMethods } from './types.ts';

export interface EventsOptions<T extends EventType = EventType> {
  /** The last event that you are done with: the `cursor` that you kept. Left out: from the first there is. */
  readonly since?: string | undefined;
  /** Only these types. */
  readonly types?: readonly T[] | undefined;
  /** Seconds that the service holds a poll back, 0 to 25; by default 25. */
  readonly wait?: number | undefined;
  /** Ends the loop with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Events of an agent that you own. */
  readonly principal_id?: string | undefined;
}

/** Ends never by itself: leave the loop, or abort the signal. */
export interface EventStream<T extends EventType = EventType> extends AsyncGenerator<
  EventOf<T>,
  void,
  undefined
> {
  /** The last event handed out. Keep it once you are done with that event, and pass it as `since` later. */
  readonly cursor: string | undefined;
}

/** One method per operation of the contract, and the two other ways to call them. */
export interface Client extends Methods {
  /** The same methods, answering status, body and head: `client.withResponse.readArticle({ id })`. */
  readonly withResponse: ReplyMethods;
  /** Every item of a list, page after page: `for await (const article of client.each.listArticles())`. */
  readonly each: Lists;
  /**
   * What happens to you, as it happens: each event once, in order, over every failure that can pass.
   * `for await (const event of client.events({ since }))`. Throws ProblemError for what stays: a token
   * that is revoked or lacks `events:read`.
   */
  events<T extends EventType = EventType>(options?: EventsOptions<T>): EventStream<T>;
}
