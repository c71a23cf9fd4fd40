// Canonical JSON (RFC 8785) and the hashes computed from it.

import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { isLong, jsonPieces, sha256Of } from './pieces.ts';

/** The members that a revision's content hash covers. */
export type HashedContent = {
  readonly content: string;
  readonly metadata: unknown;
  readonly title: string;
};

/**
 * Returns the RFC 8785 form of a JSON value: sorted names, no white space, one encoding for each number and
 * string.
 * @throws Error: for values that JSON cannot represent: NaN, Infinity, lone surrogates, cycles, undefined,
 * functions
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('undefined and functions have no JSON form');
  return text;
}

/** Returns the SHA-256 of bytes, or of a text's UTF-8, as 64 lower-case hex digits. */
export function sha256Hex(text: string | Buffer): string {
  return hash('sha256', text, 'hex');
}

/**
 * Returns a revision's `content_hash`: `sha256:` and the hash of its content, metadata and title together.
 */
export async function contentHash({ content, metadata, title }: HashedContent): Promise<string> {
  const sha256 = await canonicalHash('', { content, metadata, title });
  return `sha256:${sha256.toString('hex')}`;
}

/**
 * Returns the SHA-256 of a prefix followed by the RFC 8785 form of a value. The texts of a long value are
 * hashed in pieces, so that other work of the event loop runs between them.
 */
export async function canonicalHash(before: string, value: unknown): Promise<Buffer> {
  if (!isLong(value)) return hash('sha256', before + canonicalJson(value), 'buffer');
  return sha256Of(concat(before, jsonPieces(canonicalJson, value)));
}

function* concat(before: string, pieces: Iterable<string>): Generator<string> {
  yield before;
  yield* pieces;
}
