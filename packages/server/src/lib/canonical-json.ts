// Canonical JSON (RFC 8785) and the hashes made from it.

import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { isLong, jsonPieces, sha256Of } from './pieces.ts';

/** What a revision's content hash covers. */
export type HashedContent = {
  readonly content: string;
  readonly metadata: unknown;
  readonly title: string;
};

/**
 * The RFC 8785 form of a JSON value: sorted names, no white space, one spelling per number and string.
 * Throws an Error for what JSON cannot say: NaN, Infinity, lone surrogates, cycles, undefined, functions.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('undefined and functions have no JSON form');
  return text;
}

/** SHA-256 of bytes, or of a text's UTF-8, as 64 lower-case hex digits. */
export function sha256Hex(text: string | Buffer): string {
  return hash('sha256', text, 'hex');
}

/** A revision's `content_hash`: `sha256:` and the hash of its content, metadata and title together. */
export async function contentHash({ content, metadata, title }: HashedContent): Promise<string> {
  const sha256 = await canonicalHash('', { content, metadata, title });
  return `sha256:${sha256.toString('hex')}`;
}

/**
 * The SHA-256 of what stands before a value and of its RFC 8785 form. The texts of a long value are hashed in
 * pieces, with other work of the event loop between them.
 */
export async function canonicalHash(before: string, value: unknown): Promise<Buffer> {
  if (!isLong(value)) return hash('sha256', before + canonicalJson(value), 'buffer');
  return sha256Of(concat(before, jsonPieces(canonicalJson, value)));
}

function* concat(before: string, pieces: Iterable<string>): Generator<string> {
  yield before;
  yield* pieces;
}
