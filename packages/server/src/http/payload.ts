// The text of an answer's body. A long one is made in pieces, with other work of the event loop between them.
import { hash } from 'node:crypto';
import { encoded, isLong, jsonPieces, longFrom, piecesOf } from '#lib/pieces';
import type { Encoded } from '#lib/pieces';

export type Payload = string | Encoded;

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly otherwise?: { readonly payload: string };
}

type Serialisers = ReadonlyMap<number, (body: unknown) => string>;

/** The body of an answer, as its operation's serialiser writes it or in its other media type. */
export async function payloadOf(
  { serialize }: { readonly serialize: Serialisers },
  { status, body, otherwise }: Answered,
): Promise<Payload | undefined> {
  if (otherwise !== undefined) return textPayload(otherwise.payload);
  const serializeBody = serialize.get(status);
  if (serializeBody === undefined || !isLong(body)) return serializeBody?.(body);
  return encoded(jsonPieces(serializeBody, body));
}

export async function textPayload(text: string): Promise<Payload> {
  return text.length > longFrom ? encoded(piecesOf(text)) : text;
}

/** In base64url. */
export function sha1Of(payload: Payload): string {
  return typeof payload === 'string' ? hash('sha1', payload, 'base64url') : payload.sha1;
}

/** What is sent. */
export function sentOf(payload: Payload): string | Buffer {
  return typeof payload === 'string' ? payload : payload.bytes;
}
