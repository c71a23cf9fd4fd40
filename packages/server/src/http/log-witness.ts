// This service as a witness of other logs (C2SP tlog-witness): POST /log/witness/add-checkpoint.
import type { FastifyInstance } from 'fastify';
import { readBody } from './input/body.ts';
import { checkBodyIsPlain } from './input/headers.ts';
import { openIncoming } from './input/incoming.ts';
import type { LimitAnonymous } from './limit-anonymous.ts';
import { problem } from './problem.ts';

export interface LogWitness {
  /** Answers a request: with a cosignature, or with why there is none. */
  readonly add: (
    body: string,
  ) => Promise<{ readonly status: number; readonly contentType: string; readonly body: string }>;
  /** Returns the newest cosigned checkpoint of the log whose origin has this SHA-256. */
  readonly read: (hash: string) => Promise<string | undefined>;
}

/** A proof of 63 hashes and a checkpoint with a hundred signatures. */
const bodyBytesMax = 64 * 1024;

export const witnessRoutes = [
  { method: 'POST', path: '/log/witness/add-checkpoint' },
  { method: 'GET', path: '/log/witness/{hash}/checkpoint' },
] as const;

/** Adds the paths. They need no token: what is cosigned is signed by its log. */
export function addLogWitness(
  app: FastifyInstance,
  witness: LogWitness,
  admit: LimitAnonymous,
  givingUp: AbortSignal,
): void {
  const bodies = openIncoming();
  app.post('/log/witness/add-checkpoint', async (request, reply) => {
    const { address } = await admit(request, reply);
    checkBodyIsPlain(request.raw);
    using incoming = bodies.open({ address, account: undefined });
    const bytes = await readBody(request.raw, { limit: bodyBytesMax, givingUp, incoming });
    const { status, contentType, body } = await witness.add(bytes.toString('utf8'));
    void reply.code(status).headers({ 'cache-control': 'no-store', 'content-type': contentType });
    return body;
  });

  app.get('/log/witness/:hash/checkpoint', async (request, reply) => {
    await admit(request, reply);
    const { hash } = request.params as { hash: string };
    const checkpoint = await witness.read(hash);
    if (checkpoint === undefined)
      throw problem('not-found', 'This witness has cosigned no checkpoint of this log.');
    const headers = { 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' };
    return reply.headers({ ...headers, 'access-control-allow-origin': '*' }).send(checkpoint);
  });
}
