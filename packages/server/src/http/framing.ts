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
/** The absolute form of a request target, up to its path. */
const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/**
 * Returns a request target without the scheme and the host of its absolute form (RFC 9112 section 3.2.2), whose
 * path may be empty. Other forms are returned as they are.
 */
export function targetPath(target: string): string {
  const absolute = absoluteForm.exec(target);
  if (absolute === null) return target;
  const path = target.slice(absolute[0].length);
  return path.startsWith('/') ? path : `/${path}`;
}

function faultOfTarget({ method, headers }: IncomingMessage, target: string): string | undefined {
  const authority = absoluteForm.exec(target)?.[1];
  // By RFC 9112 the target decides, but much software reads only the header.
  if (authority !== undefined && headers.host !== undefined) {
    return authority.toLowerCase() === headers.host.toLowerCase()
      ? undefined
      : 'The request target names another host than the header Host: send the same, or only a path.';
  }
  if (authority !== undefined || target.startsWith('/')) return undefined;
  // The router would take it for the path /.
  return target === '*' && method === 'OPTIONS'
    ? undefined
    : 'The request target is not a path: send one that begins with /.';
}

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
  return undefined;
}

/**
 * Checks the framing of a request (RFC 9112 sections 3.2 and 6), and its target as it was sent.
 * @throws invalid-request: the connection is closed after it
 */
export function checkFraming(message: IncomingMessage, target: string): void {
  const fault = faultOf(message) ?? faultOfTarget(message, target);
  if (fault !== undefined) throw problem('invalid-request', fault, {}, { connection: 'close' });
}
