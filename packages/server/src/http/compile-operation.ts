// Compiles the checks and serializers of an operation when they are first used.
import { paramsSchema } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import fastJson from 'fast-json-stringify';
import type { Implementation } from './implement.ts';
import { compileCheck } from './input/check.ts';
import type { Check } from './input/check.ts';

export interface CompiledOperation extends Implementation {
  readonly checkParams: Check;
  readonly checkQuery: Check;
  readonly checkBody: Check | undefined;
  /** Whether the body has no required member, so that it may be omitted. */
  readonly bodyOptional: boolean;
  readonly serialize: ReadonlyMap<number, Serialise>;
}

type Schema = { readonly [keyword: string]: unknown };

/**
 * Removes formats and bounds from a schema. They apply to requests; in answers they cost time and would
 * change the serializer.
 */
function forSerialiser(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerialiser);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { format: _, pattern: __, maxBytes: ___, description: ____, ...rest } = schema as Schema;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, forSerialiser(value)]),
  );
}

type Serialise = (body: unknown) => string;

function serialiser(schema: unknown): Serialise {
  let compiled: Serialise | undefined;
  return (body) => {
    compiled ??= fastJson(forSerialiser(schema) as object) as Serialise;
    return compiled(body);
  };
}

function serialisers(operation: AnyOperation) {
  const made = new Map<number, Serialise>();
  for (const [status, schema] of Object.entries(operation.answers)) {
    if (schema !== null) made.set(Number(status), serialiser(schema));
  }
  return made;
}

/**
 * Prepares an operation; each check and serializer is compiled on first use. Compiling all of some eighty
 * operations at the start would take 20 MB, most of it unused.
 */
export function compileOperation(implementation: Implementation): CompiledOperation {
  const { operation } = implementation;
  const required =
    (operation.body as { required?: readonly string[] } | null | undefined)?.required ?? [];
  return {
    ...implementation,
    checkParams: compileCheck(paramsSchema(operation)),
    checkQuery: compileCheck(operation.querySchema),
    checkBody: operation.body ? compileCheck(operation.body) : undefined,
    bodyOptional: required.length === 0,
    serialize: serialisers(operation),
  };
}
