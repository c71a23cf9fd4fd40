// Reads a form of a page: its origin, the limits, the session of the sender, and its fields.
import { problems } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import { findCaller } from './find-caller.ts';
import { readBody } from './input/body.ts';
import { checkBodyIsPlain } from './input/headers.ts';
import { formFieldsMax, hasTooManyFields, readFields } from './input/form.ts';
import { openIncoming } from './input/incoming.ts';
import type { Entrance } from './mount.ts';
import { isProblem, problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { unavailable } from './unavailable.ts';
import { weigh } from './weight.ts';

export interface FormFields {
  readonly caller: Caller | null;
  /** Lines end with LF; browsers send CRLF. */
  readonly fields: URLSearchParams;
  /**
   * Why the form is refused, although it was read: its sender needs the fields back. `caller` is null if the
   * refusal came before the session was looked up.
   */
  readonly refusal?: Problem;
}

/** What a form needs: the operation whose short-window limit it counts against, and its maximum of bytes. */
export interface FormLimits {
  readonly operation: Pick<AnyOperation, 'method' | 'rate'>;
  readonly bytesMax: number;
  /** A refusal that is known before the form is read. */
  readonly refusal?: Problem | undefined;
}

/** A longer body than its form accepts is read up to this length, so that its text can be returned. */
const returnedBytes = 1024 * 1024;
/** The most that is read from somebody who has no session and had none. */
const strangersBytes = 64 * 1024;

/**
 * Reads a form (WHATWG URL, application/x-www-form-urlencoded). Whether its sender is signed in and may do
 * what it asks is checked by the operation that it runs. A form that meets a short-window limit, a database
 * that does not answer, or its own maximum of bytes is read all the same, up to 1 MiB, and returned with the
 * refusal. Without the cookie of a session at most 64 KiB are read.
 * @throws forbidden: it does not come from a page of this site
 * @throws invalid-request (also more than 200 fields), payload-too-large, rate-limited, unavailable
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

function fieldsOf(bytes: Buffer): Promise<URLSearchParams> {
  if (!hasTooManyFields(bytes)) return readFields(bytes);
  const detail = `A form has at most ${formFieldsMax} fields. Open its page again and send the form from there.`;
  throw problem('invalid-request', detail);
}

interface Sender {
  readonly caller: Caller | null;
  readonly refusal?: Problem | undefined;
}

/** Returns the sender, or why it is refused if it may send the same form again later. */
async function senderOf(find: () => Promise<Caller | null>): Promise<Sender> {
  try {
    return { caller: await find() };
  } catch (error) {
    const refusal = isProblem(error) ? error : unavailable(error);
    if (refusal === undefined || !problems[refusal.problem].retryable) throw error;
    return { caller: null, refusal };
  }
}

/** Returns how many bytes are read of a form that accepts `bytesMax`. */
function readable({ refusal }: Sender, bytesMax: number, isStranger: boolean): number {
  if (isStranger) return strangersBytes;
  // A refused caller gets the memory of a short text at most, whatever the form allows.
  return refusal === undefined ? Math.max(bytesMax, returnedBytes) : returnedBytes;
}

/** Returns why a form of this length is refused. */
function excess(bytes: number, bytesMax: number): Problem | undefined {
  if (bytes <= bytesMax) return undefined;
  const detail = `This is longer than ${Math.floor(bytesMax / 1024)} KB, the most that can be sent at once. Shorten it, then send it again.`;
  return problem('payload-too-large', detail);
}

export function formReader(entrance: Entrance, givingUp: AbortSignal): ReadForm {
  const { credentials, rates, addressOf } = entrance;
  const bodies = openIncoming();
  return async (request, reply, { operation, bytesMax, refusal: before }) => {
    const { raw } = request;
    // A form comes from its own page, whatever it does: one that only reads is not a link.
    credentials.checkOrigin({ method: 'POST' }, raw.headers);
    requireFormType(request);
    checkBodyIsPlain(raw);
    const anonymous = !credentials.arePresent(raw.headers);
    const limiter = rates?.limiterOf(operation, raw, anonymous, (limits) => {
      void reply.headers(limits);
    });
    if (limiter !== undefined) weigh(request, limiter.charge);
    const address = limiter?.address ?? addressOf(raw);
    // The state of the account is checked by the operation: what was typed must come back first.
    const found = { operation: { method: operation.method, suspendedToo: true } } as const;
    const sender: Sender =
      before === undefined
        ? await senderOf(() => findCaller(found, raw, { credentials, address }, limiter))
        : { caller: null, refusal: before };
    const { caller } = sender;
    using incoming = bodies.open({ address, account: caller?.id });
    const limit = readable(sender, bytesMax, anonymous);
    const bytes = await readBody(raw, { limit, givingUp, incoming });
    const refusal = sender.refusal ?? excess(bytes.length, bytesMax);
    const fields = await fieldsOf(bytes);
    return { caller, fields, ...(refusal === undefined ? {} : { refusal }) };
  };
}
