// Reads a form of a page: its origin, the limits, the session of the sender, and its fields.
import type { AnyOperation } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import { findCaller } from './find-caller.ts';
import { readBody } from './input/body.ts';
import { openIncoming } from './input/incoming.ts';
import type { Entrance } from './mount.ts';
import { problem } from './problem.ts';
import { weigh } from './weight.ts';

export interface FormFields {
  readonly caller: Caller | null;
  /** Lines end with LF; browsers send CRLF. */
  readonly fields: URLSearchParams;
}

/** What a form needs: the operation whose short-window limit it counts against, and its maximum of bytes. */
export interface FormLimits {
  readonly operation: Pick<AnyOperation, 'method' | 'rate'>;
  readonly bytesMax: number;
}

/**
 * Reads a form (WHATWG URL, application/x-www-form-urlencoded). Whether its sender is signed in and may do
 * what it asks is checked by the operation that it runs.
 * @throws forbidden: it does not come from a page of this site
 * @throws invalid-request, payload-too-large, rate-limited, unavailable
 */
export type ReadForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  limits: FormLimits,
) => Promise<FormFields>;

function requireFormType({ headers }: FastifyRequest): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() === 'application/x-www-form-urlencoded') return;
  throw problem(
    'invalid-request',
    'A form requires the header Content-Type: application/x-www-form-urlencoded.',
  );
}

function fieldsOf(body: string): URLSearchParams {
  const lines = Array.from(new URLSearchParams(body), ([name, value]) => [
    name,
    value.replaceAll('\r\n', '\n'),
  ]);
  return new URLSearchParams(lines);
}

export function formReader(entrance: Entrance, givingUp: AbortSignal): ReadForm {
  const { credentials, rates, addressOf } = entrance;
  const bodies = openIncoming();
  return async (request, reply, { operation, bytesMax }) => {
    const { raw } = request;
    credentials.checkOrigin(operation, raw.headers);
    const anonymous = !credentials.arePresent(raw.headers);
    const turnstile = rates?.turnstile(operation, raw, anonymous, (limits) => {
      void reply.headers(limits);
    });
    if (turnstile !== undefined) weigh(request, turnstile.charge);
    const address = turnstile?.address ?? addressOf(raw);
    // The state of the account is checked by the operation: what was typed must come back first.
    const found = { operation: { method: operation.method, suspendedToo: true } } as const;
    const caller = await findCaller(found, raw, { credentials, address }, turnstile);
    requireFormType(request);
    using incoming = bodies.open({ address, account: caller?.id });
    const bytes = await readBody(raw, { limit: bytesMax, givingUp, incoming });
    return { caller, fields: fieldsOf(bytes.toString('utf8')) };
  };
}
