// The shape of an operation, declared as data; everything that is common to all is derived from it.
import type { Static, TProperties, TSchema } from 'typebox';
import type { OwnRate } from './allowances.ts';
import { closedObject, dryRunQuery, Id } from './fields.ts';
import { genericProblems } from './problems.ts';
import type { GenericProblem, ProblemName } from './problems.ts';
import type { Access, Scope } from './scopes.ts';
import { limits } from './vocabulary.ts';
import type { QuotaAction } from './vocabulary.ts';
import { Type } from './schema.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Success statuses with the schema of their body; null means no body. */
export type Answers = { readonly [status: number]: TSchema | null };

type Empty = Record<never, never>;

export interface Spec<
  M extends Method,
  Q extends TProperties,
  B extends TSchema | null,
  A extends Answers,
  E extends ProblemName,
  X extends Access = Access,
> {
  readonly method: M;
  readonly path: string;
  /** One line, in the imperative. */
  readonly summary: string;
  /** Information for callers beyond the schemas. */
  readonly description?: string;
  readonly access: X;
  /** Scopes that every call needs in addition to `access`. */
  readonly alsoScopes?: readonly Scope[];
  /** Rejected for agents' tokens. */
  readonly humansOnly?: true;
  /** A write that suspended accounts may also do. */
  readonly suspendedToo?: true;
  readonly query?: Q;
  readonly body?: B;
  /** Members that examples of the body leave out: they exclude others, or clients rarely send them. */
  readonly exampleWithout?: readonly string[];
  /** Takes bytes in place of a JSON body: the maximum number. */
  readonly upload?: number;
  readonly answers: A;
  /** The problem types of the operation, in addition to the generic ones. */
  readonly problems: readonly E[];
  /** `required`: the Idempotency-Key header must be sent; `accepted`: it may be sent. */
  readonly idempotency?: 'required' | 'accepted';
  /** Takes an If-Match header, which is required if the operation declares `precondition-required`. */
  readonly precondition?: true;
  /** Takes ?dry_run=true. */
  readonly dryRun?: true;
  /** The short-window limit that the operation counts against. Left out: reads for GET, else writes. */
  readonly rate?: OwnRate;
  /** The allowance that one call uses one of. */
  readonly quota?: QuotaAction;
  /** The maximum number of bytes of a JSON body. */
  readonly bodyLimit?: number;
  /** Members of the response that are secrets: never stored, null in a replay. */
  readonly secrets?: readonly string[];
  /** Shared caches may store responses to anonymous callers and revalidate them by ETag. */
  readonly cacheable?: true;
  /** The response is bytes and not JSON, whole or a range of them: its content types. */
  readonly contentTypes?: readonly string[];
  /** Media types in addition to JSON that the same response may have, selected by Accept. */
  readonly alsoAs?: readonly string[];
}

/** `{id}` in a path → `{ id: string }`. */
export type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParams<Rest>
  : Empty;

export interface Operation<
  N extends string = string,
  P extends string = string,
  M extends Method = Method,
  Q extends TProperties = TProperties,
  B extends TSchema | null = TSchema | null,
  A extends Answers = Answers,
  E extends ProblemName = ProblemName,
  X extends Access = Access,
> extends Spec<M, Q, B, A, E, X> {
  readonly name: N;
  readonly path: P;
  readonly params: readonly string[];
  readonly querySchema: TSchema;
  readonly bodyLimit: number;
  /** All problems of the operation, the generic ones included, sorted. */
  readonly allProblems: readonly ProblemName[];
}

export type AnyOperation = Operation<
  string,
  string,
  Method,
  TProperties,
  TSchema | null,
  Answers,
  ProblemName
>;

export type ParamsOf<O> = O extends { readonly path: infer P extends string }
  ? PathParams<P>
  : never;
export type QueryOf<O> = O extends { readonly query?: infer Q extends TProperties }
  ? Static<ReturnType<typeof closedObject<Q>>>
  : Empty;
export type BodyOf<O> = O extends { readonly body?: infer B }
  ? B extends TSchema
    ? Static<B>
    : undefined
  : undefined;
/** The union of the `{ status, body }` of the operation's responses. */
export type AnswerOf<O> = O extends { readonly answers: infer A extends Answers }
  ? {
      [S in keyof A & number]: {
        readonly status: S;
        readonly body: A[S] extends TSchema ? Static<A[S]> : undefined;
      };
    }[keyof A & number]
  : never;
export type ProblemsOf<O> = O extends { readonly problems: readonly (infer E)[] }
  ? (E & ProblemName) | GenericProblem | ConditionalProblem
  : never;

/** Follows from having a body, a key or a quota. The kernel throws these problems, and handlers may. */
type ConditionalProblem = 'validation-failed';

function conditionalProblems(
  spec: Spec<Method, TProperties, TSchema | null, Answers, ProblemName>,
) {
  const names: ProblemName[] = [];
  if (spec.body || spec.upload !== undefined) names.push('validation-failed', 'payload-too-large');
  if (spec.idempotency) names.push('idempotency-in-progress', 'idempotency-key-reuse');
  if (spec.quota) names.push('quota-exceeded');
  return names;
}

/**
 * Declares an operation. `name` is its operationId, the name of its function, and its method in the client.
 */
export function operation<
  const N extends string,
  const P extends string,
  const M extends Method,
  const A extends Answers,
  const E extends ProblemName,
  const X extends Access,
  const Q extends TProperties = Empty,
  const B extends TSchema | null = null,
>(name: N, spec: Spec<M, Q, B, A, E, X> & { readonly path: P }): Operation<N, P, M, Q, B, A, E, X> {
  const params = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const query = { ...spec.query, ...(spec.dryRun ? dryRunQuery : {}) };
  return {
    ...spec,
    name,
    params,
    querySchema: closedObject(query),
    bodyLimit: spec.upload ?? spec.bodyLimit ?? limits.body_bytes_max,
    allProblems: [
      ...new Set<ProblemName>([...spec.problems, ...conditionalProblems(spec), ...genericProblems]),
    ].sort(),
  };
}

/** Whether a request must name the revision that its caller believes to be the newest. */
export function needsPrecondition({
  problems,
}: {
  readonly problems: readonly ProblemName[];
}): boolean {
  return problems.includes('precondition-required');
}

/** Returns the schema of the path parameters: ids, and names where the path says so. */
export function paramsSchema(operation: Pick<AnyOperation, 'params'>): TSchema {
  return closedObject(
    Object.fromEntries(
      operation.params.map((name) => [name, /id$/i.test(name) ? Id : Type.String()]),
    ),
  );
}

/** Returns the scopes that every call needs; none for an operation that is public or takes any token. */
export function scopesOf({
  access,
  alsoScopes = [],
}: Pick<AnyOperation, 'access' | 'alsoScopes'>): readonly Scope[] {
  return access === 'public' || access === 'token' ? [] : [access, ...alsoScopes];
}

/**
 * Returns the query parameter that takes the `next_cursor` of the page before: `since` for a list that is
 * polled.
 */
export function cursorOf(operation: Pick<AnyOperation, 'querySchema'>): 'cursor' | 'since' {
  const { properties = {} } = operation.querySchema as { readonly properties?: object };
  return 'cursor' in properties ? 'cursor' : 'since';
}
