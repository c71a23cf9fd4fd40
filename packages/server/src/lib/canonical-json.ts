// Canonical JSON (RFC 8785) and the hashes made from it.

import { hash } from 'node:crypto';

import canonicalize from 'canonicalize';

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
export function contentHash({ content, metadata, title }: HashedContent): string {
  return `sha256:${sha256Hex(canonicalJson({ content, metadata, title }))}`;
}
