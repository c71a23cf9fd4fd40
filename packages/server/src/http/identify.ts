// Checks the credential of a request for what everybody gets alike, and what is therefore not an operation.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCaller } from './find-caller.ts';
import type { Entrance } from './mount.ts';
import { weigh } from './weight.ts';

/** Whether a request has a credential. @throws unauthenticated: it is not valid; rate-limited */
export type IsIdentified = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

const operation = { method: 'GET' } as const;

/**
 * Returns the check. A request without a credential costs nothing and is not counted. One with a credential is looked
 * up, so it counts as a read like any other: otherwise bad tokens could be tried here without a limit.
 */
export function identifier({ credentials, rates, addressOf }: Entrance): IsIdentified {
  return async (request, reply) => {
    const { raw } = request;
    if (!credentials.arePresent(raw.headers)) return false;
    const limiter = rates?.limiterOf(operation, raw, false, (fields) => {
      void reply.headers(fields);
    });
    if (limiter !== undefined) weigh(request, limiter.charge);
    const address = limiter?.address ?? addressOf(raw);
    const caller = await findCaller({ operation }, raw, { credentials, address }, limiter);
    return caller !== null;
  };
}
