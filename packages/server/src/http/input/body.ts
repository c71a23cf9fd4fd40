// Reads a request's body: bounded in bytes and time, then through the I-JSON door.
import type { IncomingMessage } from 'node:http';
import { limits } from '@colophon/contract';
import { parseJson } from '#lib/json-input';
import { findTokens } from '#lib/token-text';
import type { Bound } from '../bind.ts';
import { invalid, problem } from '../problem.ts';
import { sendContinue } from './expect.ts';

/** A JSON body that takes longer than this is given up. */
const bodySeconds = 15;

function tooLarge(limit: number) {
  return problem(
    'payload-too-large',
    `The body is over the limit of ${limit} bytes for this operation. Send less.`,
    {},
    { connection: 'close' },
  );
}

function tooSlow() {
  const detail = `The body took longer than ${bodySeconds} seconds. Send it faster.`;
  return problem('invalid-request', detail, {}, { connection: 'close' });
}

function stopping() {
  const detail = 'The server stops before the whole body has come. Send the request again.';
  return problem('unavailable', detail, { retry_after_seconds: 1 }, { connection: 'close' });
}

/** Collects at most `limit` bytes within 15 s. @throws payload-too-large, invalid-request, unavailable */
function collect(message: IncomingMessage, limit: number, givingUp: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error: Error | undefined) => {
      clearTimeout(timer);
      message.off('data', take).off('end', end).off('close', cut);
      givingUp.removeEventListener('abort', stop);
      if (error === undefined)
        resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      else reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(tooLarge(limit));
      else chunks.push(chunk);
    };
    const end = () => settle(undefined);
    const cut = () =>
      settle(problem('invalid-request', 'The body ended before its Content-Length.'));
    const stop = () => settle(stopping());
    const timer = setTimeout(() => settle(tooSlow()), bodySeconds * 1000);
    givingUp.addEventListener('abort', stop);
    message.on('data', take).on('end', end).on('close', cut).on('error', cut);
    // Gone while its token was looked up: no event will come any more.
    if (message.destroyed) cut();
    if (givingUp.aborted) stop();
  });
}

function parse(bytes: Buffer): unknown {
  const parsed = parseJson(bytes, {
    maxDepth: limits.json_depth_max,
    maxMembers: limits.json_members_max,
  });
  if (parsed.ok) return parsed.value;
  if (parsed.kind === 'grammar') {
    throw problem('invalid-request', `The body is not JSON: ${parsed.detail}`);
  }
  throw invalid([{ pointer: parsed.pointer ?? '', code: parsed.code, detail: parsed.detail }]);
}

/** Nobody leaks a key by publishing it: a body that holds one of this service's tokens is refused. */
function refuseTokens(body: unknown): void {
  const faults = [...textsOf(body, '')]
    .filter(([, text]) => findTokens(text).length > 0)
    .map(([pointer]) => ({
      pointer,
      code: 'own-token',
      detail:
        'contains an access token of this service: take it out, and revoke it with DELETE /v1/tokens/{id}',
    }));
  if (faults.length > 0) throw invalid(faults);
}

function* textsOf(value: unknown, pointer: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [pointer, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      yield* textsOf(name, place);
      yield* textsOf(member, place);
    }
  }
}

/**
 * The bytes of a JSON body as a value that fits the operation; undefined where it takes none.
 * @throws invalid-request (grammar, encoding), validation-failed (not I-JSON, or not the schema)
 */
export function acceptBody(bound: Pick<Bound, 'checkBody'>, bytes: Buffer): unknown {
  if (bound.checkBody === undefined) return undefined;
  const body = parse(bytes);
  const faults = bound.checkBody(body);
  if (faults.length > 0) throw invalid(faults);
  refuseTokens(body);
  return body;
}

/**
 * Reads the body of a message whose headers were checked.
 * @throws payload-too-large, invalid-request (empty, cut off, too slow), unavailable (stopping)
 */
export async function readBody(
  message: IncomingMessage,
  limit: number,
  givingUp: AbortSignal,
): Promise<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(limit);
  sendContinue(message);
  const bytes = await collect(message, limit, givingUp);
  if (bytes.length === 0) {
    throw problem('invalid-request', 'The body is empty: send a JSON object.');
  }
  return bytes;
}
