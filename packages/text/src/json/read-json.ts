// The worker side of JSON reading: grammar, limits, and tokens of this service in the text.
import { parseJson } from './json-input.ts';
import type { ParsedJson } from './json-input.ts';
import type { JsonLimits } from './finding.ts';
import { tokenPointers } from '../lib/token-text.ts';
import { worker } from '../lib/worker.ts';

export interface JsonTask {
  readonly bytes: Uint8Array;
  readonly limits: JsonLimits;
}

/** A value with pointers to the places in it that contain a token of this service. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly tokens: readonly string[] }
  | Extract<ParsedJson, { readonly ok: false }>;

/** Reads JSON on the event loop, for short bodies. */
export function readJson(bytes: Buffer, limits: JsonLimits): ReadJson {
  const parsed = parseJson(bytes, limits);
  return parsed.ok ? { ...parsed, tokens: tokenPointers(parsed.value) } : parsed;
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(({ bytes, limits }: JsonTask): ReadJson =>
  readJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), limits),
);
