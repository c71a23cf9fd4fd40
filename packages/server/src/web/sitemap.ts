// GET /sitemap.xml and the files that it lists (sitemaps.org, protocol 0.9), streamed while read.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cacheControlOf, noneMatch, problem } from '#http';
import type { LimitAnonymous } from '#http';
import { escapeText } from '@colophon/text/lib/escape';

interface Url {
  readonly loc: string;
  readonly lastmod: string;
}

interface Sitemap {
  readonly index: () => Promise<{ readonly tag: string; readonly files: readonly Url[] }>;
  readonly file: (number: number) => Promise<
    | {
        readonly tag: string;
        readonly isCurrent: () => Promise<boolean>;
        readonly urls: () => AsyncIterable<readonly Url[]>;
      }
    | undefined
  >;
}

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function element(name: 'url' | 'sitemap', { loc, lastmod }: Url): string {
  return `<${name}><loc>${escapeText(loc)}</loc><lastmod>${lastmod}</lastmod></${name}>\n`;
}

async function* fileText(batches: AsyncIterable<readonly Url[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${declaration}<urlset xmlns="${namespace}">\n`);
  for await (const batch of batches) {
    if (batch.length > 0) yield Buffer.from(batch.map((url) => element('url', url)).join(''));
  }
  yield Buffer.from('</urlset>\n');
}

function headersOf(reply: FastifyReply, tag: string): Record<string, string> {
  return {
    'cache-control': cacheControlOf(reply, true),
    'content-type': 'application/xml; charset=utf-8',
    etag: `W/"${tag}"`,
    vary: 'Accept-Encoding',
  };
}

function knows(request: FastifyRequest, tag: string): boolean {
  return !noneMatch(request.headers['if-none-match'], `"${tag}"`);
}

function missingFile() {
  return problem(
    'not-found',
    'The sitemap has no file with this name. GET /sitemap.xml lists its files.',
  );
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  found: NonNullable<Awaited<ReturnType<Sitemap['file']>>>,
): Promise<FastifyReply> {
  void reply.headers(headersOf(reply, found.tag));
  if (knows(request, found.tag) && (await found.isCurrent())) return reply.code(304).send();
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(fileText(found.urls()), { objectMode: false }));
}

/** Adds the paths. */
export function addSitemap(
  app: FastifyInstance,
  sitemap: Sitemap,
  limitAnonymous: LimitAnonymous,
): void {
  app.get('/sitemap.xml', async (request, reply) => {
    await limitAnonymous(request, reply);
    const { tag, files } = await sitemap.index();
    void reply.headers(headersOf(reply, tag));
    if (knows(request, tag)) return reply.code(304).send();
    const body = files.map((file) => element('sitemap', file)).join('');
    return reply.send(
      `${declaration}<sitemapindex xmlns="${namespace}">\n${body}</sitemapindex>\n`,
    );
  });

  app.get('/sitemaps/:file', async (request, reply) => {
    await limitAnonymous(request, reply);
    const { file } = request.params as { file: string };
    const number = /^([1-9]\d{0,5})\.xml$/.exec(file)?.[1];
    const found = number === undefined ? undefined : await sitemap.file(Number(number));
    if (found === undefined) throw missingFile();
    return sendFile(request, reply, found);
  });
}

export const sitemapRoutes = [
  { method: 'GET', path: '/sitemap.xml' },
  { method: 'GET', path: '/sitemaps/{file}' },
] as const;
