// Counts what is read without a token, and is no operation, for the network address that asks.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rates } from './rates/index.ts';
import { weigh } from './weight.ts';

/** Counts a request for the address that it comes from, and tells the fields. @throws rate-limited */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const read = { name: 'readOpenly', method: 'GET' } as const;

/** Pages, feeds, files and pictures look at no token: each counts for the address, whatever else the request carries. */
export function admission(rates: Rates | undefined): Admit {
  return async (request, reply) => {
    const { raw } = request;
    const forwarded = raw.headers['x-forwarded-for'];
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const message = { socket: raw.socket, headers };
    const turnstile = rates?.turnstile(read, message, (fields) => void reply.headers(fields));
    if (turnstile === undefined) return;
    weigh(request, turnstile.charge);
    await turnstile.admitAddress();
  };
}
