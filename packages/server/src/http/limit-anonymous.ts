// Counts public reads that are not operations against the limit of the network address.
import { weights } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '@colophon/text';
import type { AddressOf, RateLimits } from './rate-limits/index.ts';
import { weigh } from './weight.ts';

/**
 * Counts a request for its network address and adds the rate-limit headers. Work for the client is charged by
 * its duration.
 * @throws rate-limited
 */
export type LimitAnonymous = (request: FastifyRequest, reply: FastifyReply) => Promise<Client>;

const read = { method: 'GET' } as const;

/** Returns a function that charges milliseconds of work; several pieces may add up to one request. */
function meterOf(charge: (requests: number) => void) {
  let owed = 0;
  return (ms: number) => {
    owed += ms / weights.workMsPerRead;
    const requests = Math.floor(owed);
    owed -= requests;
    if (requests > 0) charge(requests);
  };
}

/**
 * Returns the limiter. Pages, feeds, files and images ignore tokens: each request counts for the address,
 * whatever credentials it carries.
 */
export function anonymousLimiter(
  rates: RateLimits | undefined,
  addressOf: AddressOf,
): LimitAnonymous {
  return async (request, reply) => {
    const { raw } = request;
    const forwarded = raw.headers['x-forwarded-for'];
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const message = { socket: raw.socket, headers };
    const limiter = rates?.limiterOf(read, message, true, (fields) => void reply.headers(fields));
    if (limiter === undefined) return { address: addressOf(message) };
    weigh(request, limiter.charge);
    await limiter.limitAddress();
    return { address: limiter.address, worked: meterOf(limiter.charge) };
  };
}
