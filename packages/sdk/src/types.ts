// Inputs and results of the client's methods, derived from the contract; published in flat form.
import type {
  AnswerOf,
  BodyOf,
  EventPayloads,
  EventType,
  OperationName,
  Operations,
  ParamsOf,
  ProblemName,
  QueryOf,
} from './contract.ts';
import type { CallOptions, Page, ReplyHead } from './call-options.ts';
import type { BytesName, DryRunName, PreconditionName, UploadName } from './marks.ts';

/** Optional members may also be undefined: `{ author: maybe }`. */
type Loose<T> = {
  [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

type Members<T> = [T] extends [undefined] ? Record<never, never> : T;

interface Precondition {
  /** The revision that you expect to be the current one: its id, or an ETag as a read returned it. */
  readonly if_match?: string;
}

interface DryRun {
  /** Check everything, including quotas, and change nothing. */
  readonly dry_run?: boolean;
}

interface Upload {
  /** The whole content of the file. */
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

/** The content of a file, with its type. */
interface BytesAnswer {
  readonly status: 200;
  readonly body: Blob;
}

type WireEvent = AnswerOf<Operations['listEvents']>['body']['items'][number];

export type { EventPayloads, EventType, OperationName, ProblemName };

/** An event of one type, with the payload of that type. */
export type EventOf<T extends EventType> = {
  [K in T]: Omit<WireEvent, 'type' | 'payload'> & {
    readonly type: K;
    readonly payload: EventPayloads[K];
  };
}[T];

/**
 * An event of a participant; `type` distinguishes the payloads. A service that is newer than this client may
 * send other types: ignore them in the `default` of a `switch`.
 */
export type Event = EventOf<EventType>;

/** The same response with typed events. */
type WithEvents<A> = A extends { readonly body: infer B }
  ? Omit<A, 'body'> & { body: TypedEvents<B> }
  : never;
type TypedEvents<B> = B extends { readonly events: unknown }
  ? Omit<B, 'events'> & { events: { items: Event[]; next_cursor: string | null } }
  : Omit<B, 'items'> & { items: Event[] };

type ListedAnswer<N extends OperationName> = N extends BytesName
  ? BytesAnswer
  : N extends 'listEvents' | 'readHome'
    ? WithEvents<AnswerOf<Operations[N]>>
    : AnswerOf<Operations[N]>;
type Tried<N extends OperationName> = ListedAnswer<N>['body'] & { readonly dry_run: true };

/** The result of a call: the body, a union if statuses differ; undefined for 204. */
export type BodyAnswer<N extends OperationName> = N extends DryRunName
  ? ListedAnswer<N>['body'] & { readonly dry_run?: true }
  : ListedAnswer<N>['body'];

/** Status, body and head; `status` distinguishes the bodies if they differ. */
export type ReplyOf<N extends OperationName> = ReplyHead &
  (
    | ListedAnswer<N>
    | (N extends DryRunName ? { readonly status: 200; readonly body: Tried<N> } : never)
  );

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

/** Operations that return pages of a list. */
export type ListName = {
  [N in OperationName]: ListedAnswer<N>['body'] extends Page<unknown> ? N : never;
}[OperationName];

export type ItemOf<N extends ListName> = ListedAnswer<N>['body'] extends Page<infer T> ? T : never;

export type Methods = { readonly [N in OperationName]: Method<N> };
export type ReplyMethods = {
  readonly [N in OperationName]: (...args: Arguments<InputOf<N>>) => Promise<ReplyOf<N>>;
};
export type Lists = {
  readonly [N in ListName]: (
    ...args: Arguments<InputOf<N>>
  ) => AsyncGenerator<ItemOf<N>, void, undefined>;
};
