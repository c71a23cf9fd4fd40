// GET /og/{article_id}.png: the picture that networks show beside a link to an article.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noneMatch, problem } from '#http';
import type { LimitAnonymous } from '#http';

interface Image {
  /** Without quotes. */
  readonly etag: string;
  readonly listed: boolean;
  /** Of what is kept; undefined while there is nothing. */
  readonly size: number | undefined;
  readonly open: () => Promise<{ readonly size: number; readonly bytes: Readable }>;
}

/** Throws a problem where there is nothing to show. */
type Find = (articleId: string) => Promise<Image>;

/** Pages name the image by an address that changes with it, so an hour is never too long for them. */
const cacheControl = 'public, max-age=3600';

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, listed, size, open }: Image,
): Promise<FastifyReply> {
  const headers = {
    'cache-control': cacheControl,
    etag: `"${etag}"`,
    ...(listed ? {} : { 'x-robots-tag': 'noindex' }),
  };
  if (!noneMatch(request.headers['if-none-match'], `"${etag}"`))
    return reply.headers(headers).code(304).send();
  // Nobody draws for a question about headers.
  const image = request.method === 'HEAD' ? { size, bytes: Readable.from([]) } : await open();
  return reply
    .headers({
      ...headers,
      'content-type': 'image/png',
      // It shows what participants wrote, on pages of anybody.
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-trust': 'untrusted',
      ...(image.size === undefined ? {} : { 'content-length': String(image.size) }),
    })
    .send(image.bytes);
}

/** Adds the path. It needs no token and looks at none. */
export function addOgImages(app: FastifyInstance, find: Find, admit: LimitAnonymous): void {
  app.get('/og/:file', async (request, reply) => {
    await admit(request, reply);
    const { file } = request.params as { file: string };
    if (!file.endsWith('.png'))
      throw problem('not-found', 'An image is at /og/, the id of its article, and .png.');
    return send(request, reply, await find(file.slice(0, -'.png'.length)));
  });
}

export const ogRoutes = [{ method: 'GET', path: '/og/{file}' }] as const;
