// Reads a request's body: limits its bytes and time, then parses it as I-JSON.
import type { IncomingMessage } from 'node:http';
import { limits } from '@colophon/contract';
import type { Failure, Requester, TextWork } from '@colophon/text';
import type { CompiledOperation } from '../compile-operation.ts';
import { invalid, problem } from '../problem.ts';
import { sendContinue } from './expect.ts';
import type { IncomingBody } from './incoming.ts';
import { countPieces } from './pieces.ts';

/** Seconds after which an incomplete JSON body is rejected. */
const bodySeconds = 15;
/** Approximate memory overhead of one chunk. */
const bytesPerPiece = 256;

function tooLarge(limit: number) {
  return problem(
    'payload-too-large',
    `The body exceeds the limit of ${limit} bytes for this operation. Send less.`,
    {},
    { connection: 'close' },
  );
}

function tooSlow() {
  const detail = `The body took longer than ${bodySeconds} seconds. Send it faster.`;
  return problem('invalid-request', detail, {}, { connection: 'close' });
}

function tooManyPieces() {
  const detail =
    'The body arrives in chunks that are too small. Send chunks of at least 1,000 bytes.';
  return problem('invalid-request', detail, {}, { connection: 'close' });
}

function stoppingProblem() {
  const detail =
    'The server is stopping and has not received the whole body. Send the request again.';
  return problem('unavailable', detail, { retry_after_seconds: 1 }, { connection: 'close' });
}

/** The limits and signals for reading a body. */
export interface Reading {
  /** Maximum bytes. */
  readonly limit: number;
  /** Aborted when the server stops. */
  readonly givingUp: AbortSignal;
  readonly incoming: IncomingBody;
}

/**
 * Returns the bytes of a body, received within 15 s.
 * @throws payload-too-large, invalid-request, rate-limited, unavailable
 */
function collect(
  message: IncomingMessage,
  { limit, givingUp, incoming }: Reading,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const pieces = countPieces();
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
      try {
        incoming.add(chunk.length + bytesPerPiece);
      } catch (error) {
        settle(error as Error);
        return;
      }
      if (size > limit) settle(tooLarge(limit));
      else if (!pieces(chunk.length)) settle(tooManyPieces());
      else chunks.push(chunk);
    };
    const end = () => settle(undefined);
    const cut = () =>
      settle(problem('invalid-request', 'The body ended before its Content-Length.'));
    const stop = () => settle(stoppingProblem());
    const timer = setTimeout(() => settle(tooSlow()), bodySeconds * 1000);
    givingUp.addEventListener('abort', stop);
    message.on('data', take).on('end', end).on('close', cut).on('error', cut);
    // The connection closed while the token was checked: no further event will arrive.
    if (message.destroyed) cut();
    if (givingUp.aborted) stop();
  });
}

const jsonLimits = { maxDepth: limits.json_depth_max, maxMembers: limits.json_members_max };

/**
 * Refuses a body that contains one of this service's tokens, so that no one publishes a token by accident.
 */
function refuseTokens(pointers: readonly string[]): void {
  if (pointers.length === 0) return;
  const detail =
    'contains an access token of this service: remove it, and revoke it with DELETE /v1/tokens/{id}';
  throw invalid(pointers.map((pointer) => ({ pointer, code: 'own-token', detail })));
}

function busy(failure: Failure) {
  const retry = { retry_after_seconds: 2 };
  if (failure === 'repeated') {
    const detail = 'Too many of your long bodies are waiting to be parsed. Send one at a time.';
    return problem('rate-limited', detail, retry);
  }
  return problem('unavailable', 'Too many long bodies are waiting to be parsed. Try again.', retry);
}

/**
 * Parses the bytes of a JSON body and returns a value that fits the operation; undefined if it takes no body.
 * @throws invalid-request (grammar, encoding), validation-failed (not I-JSON, or not the schema),
 * rate-limited, unavailable (long bodies wait)
 */
export async function acceptBody(
  compiled: Pick<CompiledOperation, 'checkBody'>,
  bytes: Buffer,
  { text, requester }: { readonly text: Pick<TextWork, 'readJson'>; readonly requester: Requester },
): Promise<unknown> {
  if (compiled.checkBody === undefined) return undefined;
  const read = await text.readJson(bytes, jsonLimits, requester);
  if (typeof read === 'string') throw busy(read);
  if (!read.ok) {
    const { kind, code, detail, pointer = '' } = read;
    if (kind === 'grammar') throw problem('invalid-request', `The body is not JSON: ${detail}`);
    throw invalid([{ pointer, code, detail }]);
  }
  const faults = compiled.checkBody(read.value);
  if (faults.length > 0) throw invalid(faults);
  refuseTokens(read.tokens);
  return read.value;
}

/** Returns Content-Length; 0 if the header is missing. */
export function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Reads the body of a message whose headers were checked.
 * @throws payload-too-large, invalid-request (empty, cut off, too slow), rate-limited and unavailable (too
 * many long bodies at once), unavailable (stopping)
 */
export async function readBody(message: IncomingMessage, reading: Reading): Promise<Buffer> {
  if (declaredBytes(message) > reading.limit) throw tooLarge(reading.limit);
  sendContinue(message);
  const bytes = await collect(message, reading);
  if (bytes.length === 0) {
    throw problem('invalid-request', 'The body is empty: send a JSON object.');
  }
  return bytes;
}
