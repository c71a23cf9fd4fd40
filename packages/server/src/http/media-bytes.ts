// GET /media/{id}: bytes of participants, whole or a range of them, so that no browser takes them for ours.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noneMatch } from './input/headers.ts';
import { isUnmodified, rangeOf } from './range.ts';
import type { Range } from './range.ts';

/** Bytes that may be served now. */
export interface ServedBytes {
  readonly contentType: string;
  readonly size: number;
  /** The entity tag without quotes. */
  readonly etag: string;
  /** To be kept as a file, never shown. */
  readonly attachment: boolean;
  readonly fileName: string;
  /** Throws a problem where the bytes cannot be reached. */
  readonly open: (range: Range) => Promise<Readable>;
  /** The same without the bytes. */
  readonly reach: () => Promise<void>;
}

/** Finds what an address names; `width` is the text of ?w=. Throws a problem where there is nothing to serve. */
export type FindBytes = (id: string, width: string | undefined) => Promise<ServedBytes>;

/** Participants' bytes run nothing, load nothing and may be shown anywhere. */
const sandbox = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-trust': 'untrusted',
  'accept-ranges': 'bytes',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

function headersOf(bytes: ServedBytes): Record<string, string> {
  const disposition = bytes.attachment
    ? { 'content-disposition': `attachment; filename="${bytes.fileName}"` }
    : {};
  return { ...sandbox, etag: `"${bytes.etag}"`, ...disposition };
}

/** RFC 9110 section 14.4: a plain answer, since no type of problem is a 416. */
function unsatisfiable(reply: FastifyReply, size: number): FastifyReply {
  return reply
    .code(416)
    .headers({
      'content-range': `bytes */${size}`,
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
    })
    .send(`There are ${size} bytes.\n`);
}

async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: ServedBytes,
): Promise<FastifyReply> {
  const { headers } = request;
  const { size, etag } = bytes;
  const shown = headersOf(bytes);
  if (!noneMatch(headers['if-none-match'], `"${etag}"`))
    return reply.code(304).headers(shown).send();
  const asked = isUnmodified(headers['if-range']?.toString(), etag)
    ? rangeOf(headers.range, size)
    : undefined;
  if (asked === 'unsatisfiable') return unsatisfiable(reply.headers(shown), size);
  const { start, end } = asked ?? { start: 0, end: size - 1 };
  // Before any header is set: a problem is about the bytes and must not look like them.
  const opened = await (request.method === 'HEAD'
    ? // Nothing at all would be said to be 0 bytes long.
      bytes.reach().then(() => Readable.from([]))
    : bytes.open({ start, end }));
  void reply.headers({
    ...shown,
    'content-type': bytes.contentType,
    'content-length': String(end - start + 1),
    ...(asked === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  return reply.code(asked === undefined ? 200 : 206).send(opened);
}

/** Adds the path. It needs no token and looks at none. */
export function addMediaBytes(app: FastifyInstance, find: FindBytes): void {
  app.get('/media/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    return sendBytes(request, reply, await find(id, query.get('w') ?? undefined));
  });
}

export const mediaRoutes = [{ method: 'GET', path: '/media/{id}' }] as const;
