// The messages between the supervisor and its processes, as JSON.

/** A bucket: its key, which names the limit too, and its rate. */
export type Bucket = readonly [key: string, requests: number, windowMs: number];

/**
 * What a process asks the supervisor, which counts for all. `charge` and `leave` are not answered. `last` hands
 * over what it counted until its end.
 */
export type Question =
  | readonly ['take', ...Bucket, weight: number]
  | readonly ['charge', ...Bucket, requests: number]
  | readonly ['enter', address: string]
  | readonly ['leave', address: string]
  | readonly ['figures']
  | readonly ['last', figures: unknown];

/** What one process counted for the operator, in a form that its sender and its receiver know. */
export interface Figures {
  readonly process: string;
  readonly figures: unknown;
}

export type ToSupervisor =
  | { readonly kind: 'migrating'; readonly over: boolean }
  | { readonly kind: 'ready'; readonly listening: readonly string[] }
  | { readonly kind: 'alive'; readonly bytes: number }
  | { readonly kind: 'ask'; readonly questions: readonly (readonly [number, Question])[] }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: unknown };

export type ToProcess =
  | { readonly kind: 'ping' }
  | { readonly kind: 'answers'; readonly answers: readonly (readonly [number, unknown])[] }
  | { readonly kind: 'figures'; readonly id: number };
