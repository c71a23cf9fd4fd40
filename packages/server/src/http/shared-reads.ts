// Anonymous requests for the same address at the same time share one read, its text and the hash of that.
import type { joinedWork } from '#lib/joined-work';
import { encodeText } from '#lib/pieces';
import type { Encoded } from '#lib/pieces';
import type { Caller } from './caller.ts';
import type { CompiledOperation } from './compile-operation.ts';
import type { Answer } from './implement.ts';
import { mediaTypeOf } from './input/media-type.ts';
import { shortText } from './payload.ts';
import type { Payload } from './payload.ts';

interface SharedRead {
  readonly answer: Answer;
  /** Returns the body; undefined for a long one, which its request builds in pieces. */
  readonly payload: () => Payload | undefined;
}

/** Undefined: the answer is long. */
type MaybeShared = SharedRead | undefined;

/** Runs a read, or takes part in one that begins later than this call. */
export type ShareRead = (read: () => Promise<MaybeShared>) => Promise<MaybeShared>;

/** What decides whether requests share a read. */
interface ReadRequest {
  readonly caller: Caller | null;
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly accept: string | undefined;
}

/** Returns the text for the first request, and for all others the same bytes, encoded and hashed once. */
function sentByMany(text: string): () => Payload {
  let uses = 0;
  let encoded: Encoded | undefined;
  return () => {
    uses += 1;
    if (uses === 1) return text;
    encoded ??= encodeText(text);
    return encoded;
  };
}

/**
 * Reads for several requests. A long answer is for the request that read it; all others get undefined and read again,
 * one after another as connections are free: together they would exceed the bound for unread answers.
 */
export async function readTogether(
  compiled: CompiledOperation,
  share: ShareRead,
  read: () => Promise<Answer>,
): Promise<MaybeShared> {
  let own: Answer | undefined;
  const shared = await share(async () => {
    own = await read();
    const text = shortText(compiled, own);
    return text === undefined ? undefined : { answer: own, payload: sentByMany(text) };
  });
  return shared ?? (own && { answer: own, payload: () => undefined });
}

/**
 * Returns how an anonymous request shares its read with others for the same address and media type; undefined
 * if it reads alone: with a token, or because of work that is charged to its client, such as a diff or a
 * spotlight.
 */
export function shareOf(
  { operation, prepare }: CompiledOperation,
  { caller, url, query, accept }: ReadRequest,
  joined: ReturnType<typeof joinedWork>,
): ShareRead | undefined {
  const isPublic = caller === null && operation.method === 'GET' && operation.access === 'public';
  const isCharged = prepare !== undefined || query['view'] !== undefined;
  if (!isPublic || isCharged) return undefined;
  return (read) => joined(`${mediaTypeOf(operation, accept)} ${url}`, read);
}
