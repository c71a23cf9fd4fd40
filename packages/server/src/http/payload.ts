// The text of an answer. A long one is built in chunks, with other work of the event loop in between.
import { hash } from 'node:crypto';
import { encodePieces, isLong, jsonPieces, lengthIn, longFrom } from '#lib/pieces';
import { piecesOf } from '@colophon/text/lib/text-pieces';
import type { Encoded } from '#lib/pieces';

export type Payload = string | Encoded;

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly otherwise?: { readonly payload: string };
}

type Serialisers = ReadonlyMap<number, (body: unknown) => string>;

/** Called with the approximate bytes of a long answer before it is built. @throws unavailable */
export type Reserve = (bytes: number) => void;

/**
 * Returns the body of an answer, written by the operation's serializer or in its other media type.
 * @throws unavailable: too many bytes of answers are in memory
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
  return encodePieces(jsonPieces(serializeBody, body), units);
}

/** Returns the text of a short answer; undefined for a long one, and for one without a body. */
export function shortText(
  { serialize }: { readonly serialize: Serialisers },
  { status, body, otherwise }: Answered,
): string | undefined {
  if (isLong(otherwise?.payload ?? body)) return undefined;
  return otherwise?.payload ?? serialize.get(status)?.(body);
}

/**
 * Returns a text as a payload.
 * @throws unavailable: too many bytes of answers are in memory
 */
export async function textPayload(text: string, reserve: Reserve): Promise<Payload> {
  if (text.length <= longFrom) return text;
  reserve(text.length);
  return encodePieces(piecesOf(text), text.length);
}

/** Returns the SHA-1 of the payload in base64url. */
export function sha1Of(payload: Payload): string {
  return typeof payload === 'string' ? hash('sha1', payload, 'base64url') : payload.sha1;
}

/** Returns the payload as it is sent. */
export function sentOf(payload: Payload): string | Buffer {
  return typeof payload === 'string' ? payload : payload.bytes;
}
