// Compiles what an operation needs once, when it is first asked for: its checks and its serialisers.
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
  /** No member of the body is required, so that none need come. */
  readonly bodyOptional: boolean;
  readonly serialize: ReadonlyMap<number, Serialise>;
}

type Schema = { readonly [keyword: string]: unknown };

/** Formats and bounds are for requests; in answers they only cost, and would change the serialiser. */
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

/** Some eighty operations compiled at the start would hold 20 MB, most of them for nothing. */
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
