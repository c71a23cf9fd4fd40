// GET /robots.txt (RFC 9309): what crawlers may fetch, and where the sitemap is.
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';

/**
 * Costly, about the caller alone, or never the same twice: nothing for an index. A path closes all that
 * begins with it (section 2.2.2), and one with `$` itself alone.
 */
const kept = ['/search', '/v1/search', '/v1/events', '/v1/me$'] as const;

/**
 * Reading is welcome, also by the agents that read /v1 and heed this file: what they may write is a
 * question of their token, and no crawler sends one. A staging deployment is not to be crawled at all.
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
    ...kept.map((path) => `Disallow: ${base}${path}`),
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
