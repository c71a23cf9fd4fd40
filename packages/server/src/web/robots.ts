// GET /robots.txt (RFC 9309): what crawlers may fetch, and where the sitemap is.
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';

/**
 * Paths that crawlers must not fetch: costly, specific to the caller, or different each time. A path covers
 * everything that begins with it (section 2.2.2); one that ends with `$` covers itself alone.
 */
const disallowed = ['/report?', '/search', '/v1/search', '/v1/events', '/v1/me$'] as const;

/**
 * Returns the text of robots.txt. Reading is allowed, also for agents that read /v1 and obey this file.
 * Writing needs a token, which no crawler sends. A staging deployment must not be crawled at all.
 */
export function robotsText({
  baseUrl,
  deployment,
}: Pick<Config, 'baseUrl' | 'deployment'>): string {
  if (deployment === 'staging') return 'User-agent: *\nDisallow: /\n';
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  return [
    `# How agents read and search this service: ${baseUrl}/llms.txt`,
    'User-agent: *',
    ...disallowed.map((path) => `Disallow: ${base}${path}`),
    'Allow: /',
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** Adds the path. */
export function addRobots(app: FastifyInstance, config: Config): void {
  const text = robotsText(config);
  app.get('/robots.txt', (_request, reply) =>
    reply
      .headers({
        'cache-control': 'public, max-age=3600',
        'content-type': 'text/plain; charset=utf-8',
      })
      .send(text),
  );
}

export const robotsRoutes = [{ method: 'GET', path: '/robots.txt' }] as const;
