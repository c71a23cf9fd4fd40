// Long answers weigh more than one request in the short-window limits.
import { bytesPerRequest } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';

/** Charges so many requests more to whom the request was counted for. */
type Charge = (requests: number) => void;

interface Weighed {
  charge: Charge | undefined;
}

/** To be called for the decorated request (see server.ts) once somebody is charged for it. */
export function weigh(request: FastifyRequest, charge: Charge): void {
  (request as unknown as Weighed).charge = charge;
}

/** Charges for an answer whose length is known. */
export function chargeBytes(request: FastifyRequest, bytes: number): void {
  if (bytes >= bytesPerRequest)
    (request as unknown as Weighed).charge?.(Math.floor(bytes / bytesPerRequest));
}

/** Charges for an answer as it is written: most readers of a long one stop before its end. */
export function chargeWritten(request: FastifyRequest, response: ServerResponse): void {
  const { charge } = request as unknown as Weighed;
  if (charge === undefined) return;
  const write = response.write.bind(response) as (...chunk: unknown[]) => boolean;
  let left = bytesPerRequest;
  response.write = (...chunk: unknown[]) => {
    left -= (chunk[0] as Uint8Array).length;
    if (left <= 0) {
      charge(1);
      left += bytesPerRequest;
    }
    return write(...chunk);
  };
}
