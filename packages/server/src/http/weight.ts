// Charges long answers as more than one request in the short-window limits.
import { bytesPerRequest } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';

/** Charges additional requests to the bucket that the request was counted in. */
type Charge = (requests: number) => void;

interface Weighed {
  charge: Charge | undefined;
}

/** Sets whom the request is charged to. The request must be decorated (see server.ts). */
export function weigh(request: FastifyRequest, charge: Charge): void {
  (request as unknown as Weighed).charge = charge;
}

/** Charges for an answer of known length. */
export function chargeBytes(request: FastifyRequest, bytes: number): void {
  if (bytes >= bytesPerRequest)
    (request as unknown as Weighed).charge?.(Math.floor(bytes / bytesPerRequest));
}

/** Charges for an answer while it is written: most clients stop reading a long one before its end. */
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
