// Rejects framing that Node's HTTP parser accepts but that intermediaries may interpret differently.
import type { IncomingMessage } from 'node:http';
import { problem } from './problem.ts';

const single: ReadonlySet<string> = new Set([
  'host',
  'content-type',
  'authorization',
  'content-length',
  'idempotency-key',
  'if-match',
]);
const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~%!$&'()*+,;=-]+)(?::\d{0,5})?$/i;

/** Returns a header that may occur only once and occurs twice. */
function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!single.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

function faultOf(message: IncomingMessage): string | undefined {
  const { headers } = message;
  const twice = repeatedHeader(message.rawHeaders);
  if (twice !== undefined) return `The header ${twice} occurs twice: send it once.`;
  if (headers.host === undefined ? message.httpVersion !== '1.0' : !hostForm.test(headers.host)) {
    return 'The header Host is missing or malformed: send the host of this service.';
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return `Transfer-Encoding: ${coding.slice(0, 50)} is not supported: send chunked, or a Content-Length.`;
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return 'Content-Encoding is not supported in requests: send the body without an encoding.';
  }
  // A part would be taken for the whole (RFC 9110 section 14.5).
  if (headers['content-range'] !== undefined)
    return 'Content-Range is not supported in requests: send the whole body in one request.';
  return undefined;
}

/**
 * Checks the framing of a request (RFC 9112 sections 3.2 and 6).
 * @throws invalid-request: the connection is closed after it
 */
export function checkFraming(message: IncomingMessage): void {
  const fault = faultOf(message);
  if (fault !== undefined) throw problem('invalid-request', fault, {}, { connection: 'close' });
}
