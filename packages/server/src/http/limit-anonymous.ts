// Counts what is read without a token, and is no operation, for the network address that asks.
import { weights } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '#text';
import type { AddressOf, RateLimits } from './rate-limits/index.ts';
import { weigh } from './weight.ts';

/**
 * Counts a request for the address that it comes from, and tells the fields. Work for the client is charged
 * by its time. @throws rate-limited
 */
export type LimitAnonymous = (request: FastifyRequest, reply: FastifyReply) => Promise<Client>;

const read = { name: 'readOpenly', method: 'GET' } as const;

/** Charges for milliseconds of work, of which several pieces may make one request. */
function paying(charge: (requests: number) => void) {
  let owed = 0;
  return (ms: number) => {
    owed += ms / weights.workMsPerRead;
    const requests = Math.floor(owed);
    owed -= requests;
    if (requests > 0) charge(requests);
  };
}

/** Pages, feeds, files and pictures look at no token: each counts for the address, whatever else the request carries. */
export function anonymousLimiter(
  rates: RateLimits | undefined,
  addressOf: AddressOf,
): LimitAnonymous {
  return async (request, reply) => {
    const { raw } = request;
    const forwarded = raw.headers['x-forwarded-for'];
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const message = { socket: raw.socket, headers };
    const turnstile = rates?.turnstile(read, message, (fields) => void reply.headers(fields));
    if (turnstile === undefined) return { address: addressOf(message) };
    weigh(request, turnstile.charge);
    await turnstile.admitAddress();
    return { address: turnstile.address, worked: paying(turnstile.charge) };
  };
}
