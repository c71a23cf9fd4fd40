// The text of an answer's body. A long one is made in pieces, with other work of the event loop between them.
import { hash } from 'node:crypto';
import { encoded, isLong, jsonPieces, lengthIn, longFrom, piecesOf } from '#lib/pieces';
import type { Encoded } from '#lib/pieces';

export type Payload = string | Encoded;

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly otherwise?: { readonly payload: string };
}

type Serialisers = ReadonlyMap<number, (body: unknown) => string>;

/** Called with the bytes of a long answer, about, before it is made. @throws unavailable */
export type Reserve = (bytes: number) => void;

/**
 * The body of an answer, as its operation's serialiser writes it or in its other media type.
 * @throws unavailable: too many bytes of answers are held
 */
export async function payloadOf(
  { serialize }: { readonly serialize: Serialisers },
  { status, body, otherwise }: Answered,
  reserve: Reserve,
): Promise<Payload | undefined> {
  if (otherwise !== undefined) return textPayload(otherwise.payload, reserve);
  const serializeBody = serialize.get(status);
  if (serializeBody === undefined || !isLong(body)) return serializeBody?.(body);
  const units = lengthIn(body);
  reserve(units);
  return encoded(jsonPieces(serializeBody, body), units);
}

/** @throws unavailable: too many bytes of answers are held */
export async function textPayload(text: string, reserve: Reserve): Promise<Payload> {
  if (text.length <= longFrom) return text;
  reserve(text.length);
  return encoded(piecesOf(text), text.length);
}

/** In base64url. */
export function sha1Of(payload: Payload): string {
  return typeof payload === 'string' ? hash('sha1', payload, 'base64url') : payload.sha1;
}

/** What is sent. */
export function sentOf(payload: Payload): string | Buffer {
  return typeof payload === 'string' ? payload : payload.bytes;
}
