// What an answer costs while it waits for its client: its bytes are counted, and refused where that is too many.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Connections } from './connections/index.ts';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { chargeBytes, chargeWritten } from './weight.ts';

/** A stream holds a piece in each of its buffers. */
const streamBytes = 128 * 1024;
/** From this size on a text is written as bytes: outside the heap, once, and gone when they are taken. */
const longText = 64 * 1024;

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (payload instanceof Uint8Array) return payload.length;
  return payload instanceof Readable ? streamBytes : 0;
}

function tooMuchUnread(): Problem {
  const detail =
    'The server holds as many bytes as it can for clients that do not read their answers. Try again soon.';
  return problem('unavailable', detail, { retry_after_seconds: 2 });
}

/** What `reserveAnswer` finds on the server that a request came to. */
export interface Reserving {
  readonly connections?: Pick<Connections, 'hold'>;
}

/**
 * Counts the bytes of an answer before it is made: making a long one takes many turns of the event loop, in
 * which a thousand others would be begun. @throws unavailable: they go beyond the bound
 */
export function reserveAnswer(
  { server, raw, method }: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
): void {
  const { connections } = server as Reserving;
  if (method !== 'HEAD' && connections?.hold(raw, reply.raw, bytes) === false)
    throw tooMuchUnread();
}

type Always = (request: FastifyRequest, reply: FastifyReply) => void;

/** What was said of the answer does not hold for the problem that takes its place. */
function forget(request: FastifyRequest, reply: FastifyReply, always: Always): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!name.startsWith('ratelimit') && name !== 'connection') reply.removeHeader(name);
  }
  always(request, reply);
}

/** Hook for `onSend`. An answer that goes beyond the bound becomes 503 `unavailable`, if it is a read's. */
export function bufferedAnswers(
  connections: Connections,
  always: Always,
): onSendHookHandler<unknown> {
  return (request, reply, payload, done) => {
    const { method } = request;
    const bytes = method === 'HEAD' ? 0 : sizeOf(payload);
    if (bytes > 0) {
      // What was written is not undone for want of memory, and a problem is small: some 30 KB at most.
      if (method !== 'GET' || reply.statusCode >= 400) {
        connections.add(request.raw, reply.raw, bytes);
      } else if (!connections.hold(request.raw, reply.raw, bytes)) {
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
