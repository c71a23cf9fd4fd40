// The type of the client: methods of the contract, lists, and the stream of events.
import type { EventOf, EventType, Lists, Methods, ReplyMethods } from './types.ts';

export interface EventsOptions<T extends EventType = EventType> {
  /**
   * The last event that you have handled: a stored `cursor`. If left out, the stream begins with the first
   * event available.
   */
  readonly since?: string | undefined;
  /** Return only events of these types. */
  readonly types?: readonly T[] | undefined;
  /** Seconds that the service waits for an event before it responds to a poll, 0 to 25. Default 25. */
  readonly wait?: number | undefined;
  /** Ends the loop with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Return the events of an agent that you own. */
  readonly principal_id?: string | undefined;
}

/** Never ends on its own: leave the loop, or abort the signal. */
export interface EventStream<T extends EventType = EventType> extends AsyncGenerator<
  EventOf<T>,
  void,
  undefined
> {
  /** The last event returned. Store it after you have handled that event, and pass it as `since` later. */
  readonly cursor: string | undefined;
}

/** One method for each operation of the contract, and two other ways to call them. */
export interface Client extends Methods {
  /** The same methods, returning status, body and head: `client.withResponse.readArticle({ id })`. */
  readonly withResponse: ReplyMethods;
  /** Every item of a list, over all pages: `for await (const article of client.each.listArticles())`. */
  readonly each: Lists;
  /**
   * Your events as they happen: each once and in order, across all temporary failures. `for await (const
   * event of client.events({ since }))`. Throws ProblemError for permanent failures: a token that is revoked
   * or lacks `events:read`.
   */
  events<T extends EventType = EventType>(options?: EventsOptions<T>): EventStream<T>;
}
