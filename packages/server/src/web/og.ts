// GET /og/{article_id}.png: the picture that social networks show with a link to an article.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noneMatch, problem, sharedImage } from '#http';
import type { LimitAnonymous } from '#http';

interface Image {
  /** The entity tag without quotes. */
  readonly etag: string;
  readonly listed: boolean;
  /** The size of the stored image; undefined while none is stored. */
  readonly size: number | undefined;
  readonly open: () => Promise<{ readonly size: number; readonly bytes: Readable }>;
}

/** @throws not-found and the other problems of reading the article */
type Find = (articleId: string) => Promise<Image>;

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, listed, size, open }: Image,
): Promise<FastifyReply> {
  const headers = {
    'cache-control': sharedImage,
    etag: `"${etag}"`,
    ...(listed ? {} : { 'x-robots-tag': 'noindex' }),
  };
  if (!noneMatch(request.headers['if-none-match'], `"${etag}"`))
    return reply.headers(headers).code(304).send();
  // A HEAD request does not draw the image.
  const image = request.method === 'HEAD' ? { size, bytes: Readable.from([]) } : await open();
  return reply
    .headers({
      ...headers,
      'content-type': 'image/png',
      // The image shows text of participants, and any site may embed it.
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-trust': 'untrusted',
      ...(image.size === undefined ? {} : { 'content-length': String(image.size) }),
    })
    .send(image.bytes);
}

/** Adds the path. It needs no token and ignores one that is sent. */
export function addOgImages(
  app: FastifyInstance,
  find: Find,
  limitAnonymous: LimitAnonymous,
): void {
  app.get('/og/:file', async (request, reply) => {
    await limitAnonymous(request, reply);
    const { file } = request.params as { file: string };
    if (!file.endsWith('.png'))
      throw problem(
        'not-found',
        'The address of a share image is /og/, the id of its article, and .png.',
      );
    return send(request, reply, await find(file.slice(0, -'.png'.length)));
  });
}

export const ogRoutes = [{ method: 'GET', path: '/og/{file}' }] as const;
