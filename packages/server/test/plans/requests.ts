// Requests that read everything in every way: each operation with each of its parameters, and the pages.
import { operationList } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { addressOf } from '../samples.ts';
import type { Sample } from '../samples.ts';
import type { BusyWorld } from './world.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
}

/** Values of parameters that their schema does not list. */
function valuesOf({ world, topic, comment }: BusyWorld): Readonly<Record<string, string>> {
  const { id } = world.human;
  return {
    author: id,
    topic,
    language: 'en',
    q: 'text',
    since: '2026-01-01T00:00:00.000Z',
    until: '2099-01-01T00:00:00.000Z',
    root: comment.id,
    principal_id: id,
    limit: '100',
  };
}

/** What each parameter is set to, one at a time. */
function queriesOf(operation: AnyOperation, values: Readonly<Record<string, string>>): string[] {
  const properties = (operation.query ?? {}) as Readonly<Record<string, Schema>>;
  const alone = Object.entries(properties).flatMap(([name, schema]) => {
    if (values[name] !== undefined) return [`${name}=${encodeURIComponent(values[name])}`];
    if (schema.type === 'boolean') return [`${name}=true`, `${name}=false`];
    return (schema.enum ?? []).map((value) => `${name}=${value}`);
  });
  return ['', ...alone];
}

/** The same request about the busy objects. */
function busySampleOf(
  operation: AnyOperation,
  sample: Sample,
  { world, article, comment }: BusyWorld,
) {
  const [, kind = ''] = /^\/v1\/(\w+)\/\{id\}\//.exec(operation.path) ?? [];
  const ids = { articles: article.id, comments: comment.id, principals: world.human.id };
  const id = ids[kind as keyof typeof ids];
  return id === undefined ? sample : { ...sample, params: { ...sample.params, id } };
}

/** Returns the paths of all reads. */
export function readsOf(busy: BusyWorld): ReadonlyMap<string, readonly string[]> {
  const values = valuesOf(busy);
  const reads = operationList.filter(({ method }) => method === 'GET');
  return new Map(
    reads.map((operation) => {
      const sample = busy.samples.get(operation.name) as Sample;
      const own = busySampleOf(operation, sample, busy);
      const given = new Set(own.query?.split('=').slice(0, 1));
      const paths = queriesOf(operation, values)
        .filter((query) => !given.has(query.split('=')[0] ?? ''))
        .map((query) => addressOf(operation, own, query));
      return [operation.name, [...new Set([addressOf(operation, sample), ...paths])]];
    }),
  );
}
