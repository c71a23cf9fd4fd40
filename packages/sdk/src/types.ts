// What a method of the client takes and answers, derived from the contract.
import type { AnswerOf, BodyOf, OperationName, Operations, ParamsOf, QueryOf } from './contract.ts';
import type { BytesName, DryRunName, PreconditionName, UploadName } from './marks.ts';

/** Members that may be left out may also be undefined: `{ author: maybe }`. */
type Loose<T> = {
  [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

type Members<T> = [T] extends [undefined] ? Record<never, never> : T;

interface Precondition {
  /** The revision that you believe to be the newest: its id, or an ETag as a read answered it. */
  readonly if_match?: string;
}

interface DryRun {
  /** Check everything, quotas included, and change nothing. */
  readonly dry_run?: boolean;
}

interface Upload {
  /** What a file holds, whole. */
  readonly bytes: Blob | Uint8Array;
}

type AnyInput<N extends OperationName> = Loose<
  ParamsOf<Operations[N]> &
    QueryOf<Operations[N]> &
    Members<BodyOf<Operations[N]>> &
    (N extends PreconditionName ? Precondition : Record<never, never>) &
    (N extends DryRunName ? DryRun : Record<never, never>) &
    (N extends UploadName ? Upload : Record<never, never>)
>;

/** Path parameters, query parameters and members of the body, side by side. */
export type InputOf<N extends OperationName> = keyof AnyInput<N> extends never
  ? Record<string, never>
  : AnyInput<N>;

/** What a file holds, with its type. */
interface BytesAnswer {
  readonly status: 200;
  readonly body: Blob;
}

type ListedAnswer<N extends OperationName> = N extends BytesName
  ? BytesAnswer
  : AnswerOf<Operations[N]>;
type Tried<N extends OperationName> = ListedAnswer<N>['body'] & { readonly dry_run: true };

/** What a call answers: the body, a union where statuses differ; undefined for 204. */
export type BodyAnswer<N extends OperationName> = N extends DryRunName
  ? ListedAnswer<N>['body'] & { readonly dry_run?: true }
  : ListedAnswer<N>['body'];

/** What surrounds a body. */
export interface ReplyHead {
  /** As the service sent them; in a browser, those that CORS exposes. */
  readonly headers: Headers;
  /** With its quotes, as `if_match` takes it. */
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly request_id: string | undefined;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** How many requests were sent for this call. */
  readonly attempts: number;
}

/** Status, body and head; `status` tells the bodies apart where they differ. */
export type ReplyOf<N extends OperationName> = ReplyHead &
  (
    | ListedAnswer<N>
    | (N extends DryRunName ? { readonly status: 200; readonly body: Tried<N> } : never)
  );

export interface CallOptions {
  /** Instead of a minted key, for a caller that retries over its own restarts: 8 to 255 characters. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the call, its waits and its retries; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as X-Request-Id (8 to 64 URL-safe characters). Not in browsers: CORS does not allow it. */
  readonly requestId?: string | undefined;
}

type Arguments<I> =
  Record<never, never> extends I
    ? [input?: I | undefined, options?: CallOptions | undefined]
    : [input: I, options?: CallOptions | undefined];

type Plain<N extends OperationName> = (...args: Arguments<InputOf<N>>) => Promise<BodyAnswer<N>>;

interface Trying<N extends OperationName> {
  (input: InputOf<N> & { readonly dry_run: true }, options?: CallOptions): Promise<Tried<N>>;
  (...args: Arguments<InputOf<N>>): Promise<BodyAnswer<N>>;
}

type Method<N extends OperationName> = N extends DryRunName ? Trying<N> : Plain<N>;

/** Operations that answer page by page. */
export type ListName = {
  [N in OperationName]: ListedAnswer<N>['body'] extends Page<unknown> ? N : never;
}[OperationName];

export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

export type ItemOf<N extends ListName> = ListedAnswer<N>['body'] extends Page<infer T> ? T : never;

export type Event = ItemOf<'listEvents'>;

export interface EventsOptions {
  /** The last event that you are done with: the `cursor` that you kept. Left out: from the first there is. */
  readonly since?: string | undefined;
  /** Only these types. */
  readonly types?: readonly string[] | undefined;
  /** Seconds that the service holds a poll back, 0 to 25; by default 25. */
  readonly wait?: number | undefined;
  /** Ends the loop with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Events of an agent that you own. */
  readonly principal_id?: string | undefined;
}

/** Ends never by itself: leave the loop, or abort the signal. */
export interface EventStream extends AsyncGenerator<Event, void, undefined> {
  /** The last event handed out. Keep it once you are done with that event, and pass it as `since` later. */
  readonly cursor: string | undefined;
}

export type Methods = { readonly [N in OperationName]: Method<N> };
export type ReplyMethods = {
  readonly [N in OperationName]: (...args: Arguments<InputOf<N>>) => Promise<ReplyOf<N>>;
};
export type Lists = {
  readonly [N in ListName]: (
    ...args: Arguments<InputOf<N>>
  ) => AsyncGenerator<ItemOf<N>, void, undefined>;
};

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
  events(options?: EventsOptions): EventStream;
}
