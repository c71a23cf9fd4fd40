// Parses the request headers that operations use and reports what to send instead.
import type { IncomingMessage } from 'node:http';
import { limits } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { findTokens } from '@colophon/text/lib/token-text';
import { problem } from '../problem.ts';

const keyForm = /^[\x20-\x7e]{8,255}$/;

/**
 * Returns the Idempotency-Key; undefined if the operation takes none or it is optional and missing.
 * @throws invalid-request: a required key is missing, or the key is malformed or contains a token
 */
export function readIdempotencyKey(
  operation: AnyOperation,
  key: string | undefined,
): string | undefined {
  if (operation.idempotency === undefined) return undefined;
  const form = `${limits.idempotency_key_min} to ${limits.idempotency_key_max} printable ASCII characters`;
  if (key === undefined) {
    if (operation.idempotency === 'accepted') return undefined;
    throw problem(
      'invalid-request',
      `The header Idempotency-Key is missing: send ${form}, new for each logical request and the same on each retry.`,
    );
  }
  if (!keyForm.test(key)) {
    throw problem('invalid-request', `The header Idempotency-Key is malformed: send ${form}.`);
  }
  // Keys are stored as received; tokens must not be stored.
  if (findTokens(key).length > 0) {
    throw problem(
      'invalid-request',
      `The header Idempotency-Key contains an access token of this service: send ${form} without a meaning, and revoke the token if others may have seen it.`,
    );
  }
  return key;
}

const entityTag = /^(?:W\/)?(?:"([^"\x00-\x20\x7f]*)"|([^",\s]+))$/;

/**
 * Returns the revision that If-Match names (RFC 9110 section 13.1.1). The quotes may be missing, and the hash
 * after the revision id in the tag of an article is ignored.
 * @throws invalid-request: a list of tags or anything that is not a tag
 */
function readIfMatch(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const match = entityTag.exec(header.trim());
  if (match === null) {
    throw problem(
      'invalid-request',
      'The header If-Match is malformed: send one tag, If-Match: "<revision_id>".',
    );
  }
  return (match[1] ?? match[2] ?? '').split('.')[0];
}

/**
 * Returns the revision in If-Match for an operation that takes it. Other writes are refused instead of done
 * without the comparison that their sender relies on (RFC 9110 section 13.1.1); a read changes nothing.
 * @throws invalid-request
 */
export function readPrecondition(
  { method, precondition }: Pick<AnyOperation, 'method' | 'precondition'>,
  header: string | undefined,
): string | undefined {
  if (header === undefined || precondition) return readIfMatch(header);
  if (method === 'GET') return undefined;
  throw problem(
    'invalid-request',
    'This operation does not take the header If-Match: only writes of an article compare a version. Nothing was changed. Leave the header out.',
  );
}

/**
 * Whether If-None-Match (RFC 9110 section 13.1.2, weak comparison) does not list the tag, so that the answer
 * has a body.
 */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  if (header.trim() === '*') return false;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return !tags.some((tag) => tag.replace(/^W\//, '') === etag);
}

/**
 * Checks that a body is sent whole and without an encoding, even if none is expected.
 * @throws invalid-request
 */
export function checkBodyIsPlain({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw problem(
      'invalid-request',
      'Content-Encoding is not supported in requests: send the body without an encoding.',
    );
  }
  // A part would be taken for the whole (RFC 9110 section 14.5).
  if (headers['content-range'] !== undefined) {
    throw problem(
      'invalid-request',
      'Content-Range is not supported in requests: send the whole body in one request.',
    );
  }
}

const jsonType = /^application\/json[ \t]*(?=;|$)/i;

/** A parameter of a media type; RFC 9110 section 5.6.6 allows a semicolon with none after it. */
const typeParameter =
  /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)[ \t]*)?/gy;

/**
 * Returns whether a Content-Type is that of JSON in UTF-8. JSON has no parameters, so unknown ones have no
 * meaning (RFC 8259 section 11); a charset is the exception, because the sender may have used it.
 */
export function isJsonType(header: string): boolean {
  const type = header.trim();
  let end = jsonType.exec(type)?.[0].length ?? -1;
  if (end < 0) return false;
  for (const { 0: parameter, 1: name, 2: value } of type.slice(end).matchAll(typeParameter)) {
    end += parameter.length;
    const charset = value?.replace(/^"|"$/g, '').replaceAll(/\\(.)/g, '$1');
    if (name?.toLowerCase() === 'charset' && charset?.toLowerCase() !== 'utf-8') return false;
  }
  return end === type.length;
}

/**
 * Checks Content-Type of a JSON body.
 * @throws invalid-request
 */
export function checkJsonHeaders(message: IncomingMessage): void {
  const type = message.headers['content-type'];
  if (type !== undefined && isJsonType(type)) return;
  throw problem(
    'invalid-request',
    `The body requires the header Content-Type: application/json${type === undefined ? '' : `, not ${type.slice(0, 100)}`}. JSON is always UTF-8.`,
  );
}
