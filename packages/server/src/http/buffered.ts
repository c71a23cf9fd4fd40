// Counts the bytes of answers that wait for their clients; refuses those beyond the limit.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Connections } from './connections/index.ts';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { chargeBytes, chargeWritten } from './weight.ts';

/** Bytes counted for a stream: each of its buffers contains one chunk. */
const streamBytes = 128 * 1024;
/**
 * A string of at least this many bytes is sent as a Buffer: it is stored once, outside the heap, and freed
 * when the client has read it.
 */
const longText = 64 * 1024;

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (payload instanceof Uint8Array) return payload.length;
  return payload instanceof Readable ? streamBytes : 0;
}

function tooMuchUnread(): Problem {
  const detail =
    'The buffers for responses that clients have not read are full. Try again in a few seconds.';
  return problem('unavailable', detail, { retry_after_seconds: 2 });
}

/** The property of the server that `reserveAnswer` uses. */
export interface Reserving {
  readonly connections?: Pick<Connections, 'reserve'>;
}

/**
 * Counts the bytes of an answer before it is built. Building a long answer takes many turns of the event
 * loop, in which a thousand other requests could begin.
 * @throws unavailable: the bytes exceed the limit
 */
export function reserveAnswer(
  { server, raw, method }: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
): void {
  const { connections } = server as Reserving;
  if (method !== 'HEAD' && connections?.reserve(raw, reply.raw, bytes) === false)
    throw tooMuchUnread();
}

type Always = (request: FastifyRequest, reply: FastifyReply) => void;

/** Removes the headers of the answer, which do not apply to the problem that replaces it. */
function forget(request: FastifyRequest, reply: FastifyReply, always: Always): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!name.startsWith('ratelimit') && name !== 'connection') reply.removeHeader(name);
  }
  always(request, reply);
}

/**
 * Returns a hook for `onSend`. An answer to a read that exceeds the limit is replaced by 503 `unavailable`.
 */
export function bufferedAnswers(
  connections: Connections,
  always: Always,
): onSendHookHandler<unknown> {
  return (request, reply, payload, done) => {
    const { method } = request;
    const bytes = method === 'HEAD' ? 0 : sizeOf(payload);
    if (bytes > 0) {
      // A write has already taken effect, so its answer is always sent; a problem is small: 30 KB at most.
      if (method !== 'GET' || reply.statusCode >= 400) {
        connections.add(request.raw, reply.raw, bytes);
      } else if (!connections.reserve(request.raw, reply.raw, bytes)) {
        if (payload instanceof Readable) payload.destroy();
        forget(request, reply, always);
        done(tooMuchUnread());
        return;
      }
    }
    if (payload instanceof Readable) chargeWritten(request, reply.raw);
    else chargeBytes(request, bytes);
    done(null, typeof payload === 'string' && bytes >= longText ? Buffer.from(payload) : payload);
  };
}
