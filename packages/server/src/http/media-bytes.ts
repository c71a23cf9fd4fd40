// Serves participants' files, whole or as a range, isolated from the origin; GET /media/{id}.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { releaseBuffer } from '#runtime';
import type { MediaStore } from '#storage';
import type { LimitAnonymous } from './limit-anonymous.ts';
import { noneMatch } from './input/headers.ts';
import { isProblem, problem } from './problem.ts';
import { isUnmodified, rangeOf } from './range.ts';
import type { Range } from './range.ts';
import { requireReadable } from './input/query.ts';

/** A file that may be served now: by its name in the store, or by what opens it. */
export type ServedBytes = ServedFile & ({ readonly name: string } | { readonly open: OpenBytes });

/** Opens bytes that are made of several files. May throw a problem as long as nothing is sent. */
export type OpenBytes = (store: MediaStore, range: Range) => Promise<Readable>;

interface ServedFile {
  readonly contentType: string;
  readonly size: number;
  /** The entity tag without quotes. */
  readonly etag: string;
  /** Whether to offer the file for download only, never to display it. */
  readonly attachment: boolean;
  readonly fileName: string;
}

/** Finds the file with this id; `width` is the text of ?w=. Throws a problem if there is nothing to serve. */
export type FindBytes = (id: string, width: string | undefined) => Promise<ServedBytes>;

/** Participants' files may run and load nothing, and may be embedded anywhere. */
const sandbox = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-trust': 'untrusted',
  'accept-ranges': 'bytes',
} as const;

/** `caller`: files that are not public and must not be cached by intermediaries. */
const cacheControl = {
  everybody: 'public, max-age=31536000, immutable',
  caller: 'private, no-store',
} as const;

/** The store of the files, and their audience. */
interface Serving {
  readonly store: MediaStore;
  readonly audience: keyof typeof cacheControl;
}

function headersOf(bytes: ServedBytes, { audience }: Serving): Record<string, string> {
  const disposition = bytes.attachment
    ? { 'content-disposition': `attachment; filename="${bytes.fileName}"` }
    : {};
  const cached = { 'cache-control': cacheControl[audience] };
  return { ...sandbox, ...cached, etag: `"${bytes.etag}"`, ...disposition };
}

/** Answers 416 (RFC 9110 section 14.4) in plain text, since no problem type has this status. */
function unsatisfiable(reply: FastifyReply, size: number): FastifyReply {
  return reply
    .code(416)
    .headers({
      'content-range': `bytes */${size}`,
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
    })
    .send(`The file has ${size} bytes.\n`);
}

function unreachable(cause?: unknown): never {
  const detail = 'The file cannot be read at the moment. Try again later.';
  throw Object.assign(problem('unavailable', detail, { retry_after_seconds: 60 }), { cause });
}

async function openBytes(store: MediaStore, bytes: ServedBytes, range: Range): Promise<Readable> {
  if ('open' in bytes)
    return bytes.open(store, range).catch((error: unknown) => {
      throw isProblem(error) ? error : unreachable(error);
    });
  return (await store.open(bytes.name, range).catch(unreachable)) ?? unreachable();
}

/**
 * Returns an empty stream if the file exists, for HEAD.
 * @throws unavailable
 */
async function reachBytes(store: MediaStore, bytes: ServedBytes): Promise<Readable> {
  if ('name' in bytes && !(await store.exists(bytes.name).catch(unreachable))) unreachable();
  // Without a stream, Fastify would send Content-Length: 0.
  return Readable.from([]);
}

/**
 * Releases the memory of each chunk after it is written to the connection. Fastify pipes the stream without a
 * write callback, so `write` of the response is replaced.
 */
function releaseWritten(response: ServerResponse): void {
  const write = response.write.bind(response) as (
    chunk: Uint8Array,
    written: (error?: Error | null) => void,
  ) => boolean;
  response.write = (chunk: Uint8Array) =>
    write(chunk, (error) => {
      if (!error) releaseBuffer(chunk);
    });
}

/** Takes the headers of the file back if its bytes fail before any was sent: the problem is not the file. */
function withdrawOnFailure(reply: FastifyReply, opened: Readable, names: readonly string[]): void {
  opened.once('error', () => {
    if (reply.raw.headersSent) return;
    for (const name of names) {
      reply.removeHeader(name);
      reply.raw.removeHeader(name);
    }
  });
}

/** Answers with the requested bytes: 200, 206, 304 or 416. @throws unavailable */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: ServedBytes,
  serving: Serving,
): Promise<FastifyReply> {
  const { headers } = request;
  const { size, etag } = bytes;
  const shown = headersOf(bytes, serving);
  if (!noneMatch(headers['if-none-match'], `"${etag}"`))
    return reply.code(304).headers(shown).send();
  // RFC 9110 section 14.2: Range is defined for GET only.
  const mayRange = request.method === 'GET' && isUnmodified(headers['if-range']?.toString(), etag);
  const range = mayRange ? rangeOf(headers.range, size) : undefined;
  if (range === 'unsatisfiable') return unsatisfiable(reply.headers(shown), size);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  // Open the file before any header is set: a problem must not carry the headers of the file.
  const opened = await (request.method === 'HEAD'
    ? reachBytes(serving.store, bytes)
    : openBytes(serving.store, bytes, { start, end }));
  const ofFile = {
    ...shown,
    'content-type': bytes.contentType,
    'content-length': String(end - start + 1),
    ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  };
  withdrawOnFailure(reply.headers(ofFile), opened, Object.keys(ofFile));
  releaseWritten(reply.raw);
  return reply.code(range === undefined ? 200 : 206).send(opened);
}

interface PublicBytes {
  readonly store: MediaStore;
  readonly find: FindBytes;
  readonly limitAnonymous: LimitAnonymous;
}

/** Adds the path. It needs no token and ignores any. */
export function addMediaBytes(
  app: FastifyInstance,
  { store, find, limitAnonymous }: PublicBytes,
): void {
  app.get('/media/:id', async (request, reply) => {
    await limitAnonymous(request, reply);
    const { id } = request.params as { id: string };
    const [, query = ''] = request.url.split('?');
    requireReadable(query);
    const bytes = await find(id, new URLSearchParams(query).get('w') ?? undefined);
    return sendBytes(request, reply, bytes, { store, audience: 'everybody' });
  });
}

export const mediaRoutes = [{ method: 'GET', path: '/media/{id}' }] as const;
