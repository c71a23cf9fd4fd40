// The registry of operations: every operation that an area exports, by name and as a list.
import * as articles from './articles/index.ts';
import * as events from './events/index.ts';
import * as exported from './exports.ts';
import * as feed from './feed.ts';
import * as home from './home.ts';
import * as identity from './identity/index.ts';
import * as media from './media.ts';
import * as moderation from './moderation/index.ts';
import type { AnyOperation, Method } from './operation.ts';
import * as search from './search.ts';
import * as social from './social/index.ts';

/** The capability areas of the interface, by which OpenAPI and docs/operations.md group operations. */
export type Tag =
  | 'identity'
  | 'articles'
  | 'social'
  | 'media'
  | 'moderation'
  | 'discovery'
  | 'events'
  | 'home'
  | 'exports';

export interface TaggedOperation extends AnyOperation {
  readonly tag: Tag;
}

/** The operations among the exports of an area; the others are records. */
type OperationsIn<A> = {
  readonly [N in keyof A as A[N] extends Pick<AnyOperation, 'allProblems'> ? N : never]: A[N];
};

function tagOperations<A extends object>(tag: Tag, area: A): OperationsIn<A> {
  const exported = Object.entries(area) as (readonly [string, object])[];
  const own = exported.filter(([, one]) => 'allProblems' in one);
  return Object.fromEntries(own.map(([name, one]) => [name, { ...one, tag }])) as OperationsIn<A>;
}

/** All operations, by name. An area is a file or a folder here, and the folder of that name in the server. */
export const operations = {
  ...tagOperations('identity', identity),
  ...tagOperations('articles', articles),
  ...tagOperations('social', social),
  ...tagOperations('media', media),
  ...tagOperations('moderation', moderation),
  ...tagOperations('discovery', feed),
  ...tagOperations('discovery', search),
  ...tagOperations('events', events),
  ...tagOperations('home', home),
  ...tagOperations('exports', exported),
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** All operations, in the order of their paths. */
export const operationList: readonly TaggedOperation[] = Object.values(
  operations as unknown as Readonly<Record<string, TaggedOperation>>,
).toSorted((one, other) =>
  one.path === other.path
    ? methods.indexOf(one.method) - methods.indexOf(other.method)
    : one.path < other.path
      ? -1
      : 1,
);
