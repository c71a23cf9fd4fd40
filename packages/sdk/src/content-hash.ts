// The content hash of a revision: SHA-256 of the canonical form (RFC 8785) of its text.
import canonicalize from 'canonicalize';
import { hexOf } from './hex.ts';

/** The text of a revision. An article or a revision as the service returns it has this shape. */
export interface ProvenText {
  readonly title: string;
  readonly content: string;
  /** Default `{}`. */
  readonly metadata?: unknown;
}

const encoder = new TextEncoder();

/** Whether JSON can represent a value. A Map, a Date and other objects would be hashed as empty ones. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const kind = Object.prototype.toString.call(value);
  return (kind === '[object Object]' || Array.isArray(value)) && Object.values(value).every(isJson);
}

function canonicalForm(text: ProvenText): string | undefined {
  try {
    const { title, content, metadata = {} } = text;
    if (typeof title !== 'string' || typeof content !== 'string' || !isJson(metadata))
      return undefined;
    return canonicalize({ content, metadata, title });
  } catch {
    return undefined;
  }
}

/**
 * Returns the hash in the format of `content_hash`; undefined for a text without a canonical form, such as a
 * lone surrogate.
 */
export async function contentHash(text: ProvenText): Promise<string | undefined> {
  const form = canonicalForm(text);
  if (form === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(form));
  return `sha256:${hexOf(new Uint8Array(digest))}`;
}
