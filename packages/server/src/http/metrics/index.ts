// GET /metrics: figures for the operator's Prometheus only.
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isLoopback } from '#lib/loopback';
import { requireLoopbackHost } from '../loopback-host.ts';
import { problem } from '../problem.ts';
import { makeDurations } from './durations.ts';
import type { Durations } from './durations.ts';
import type { Figure, Written } from './prometheus.ts';

export type { Figure } from './prometheus.ts';

interface Begun {
  began: number;
}

/** Counts every answer from now on. Call it before routes are added. */
export function measureAnswers(app: FastifyInstance): Durations {
  const durations = makeDurations();
  app.decorateRequest('began', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    (request as unknown as Begun).began = performance.now();
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { began } = request as unknown as Begun;
    const seconds = (performance.now() - began) / 1000;
    durations.count(request.routeOptions.config, reply.statusCode, seconds);
    done(null, payload);
  });
  return durations;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => hash('sha256', text, 'buffer'));
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** Whether the request comes from this machine directly, not through a proxy on it. */
function isNear({ raw, headers }: FastifyRequest): boolean {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
  return (
    isLoopback(raw.socket.remoteAddress ?? '') &&
    forwarded.every((name) => headers[name] === undefined)
  );
}

/**
 * Checks that the request may read metrics. With METRICS_TOKEN it must carry that token. Without it, only
 * requests from this machine are allowed, and only if BASE_URL is a loopback address: a request to a public
 * service might come from a local proxy.
 * @throws unauthenticated, not-found
 */
function requireAllowed(
  request: FastifyRequest,
  { metricsToken, baseUrl }: Pick<Config, 'metricsToken' | 'baseUrl'>,
): void {
  if (metricsToken === undefined) {
    if (isLoopback(new URL(baseUrl).hostname) && isNear(request)) return;
    throw problem('not-found', 'Metrics are not available: the operator can set METRICS_TOKEN.');
  }
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && isSame(token, metricsToken)) return;
  throw problem(
    'unauthenticated',
    'Send Authorization: Bearer followed by the value of METRICS_TOKEN.',
  );
}

/** Adds the path. `figures` are read on each request, at most one read at a time. */
export function addMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'metricsToken' | 'baseUrl'>,
  durations: Durations,
  figures: readonly Figure[],
): void {
  let writer: Promise<() => Promise<Written>> | undefined;
  let writing: Promise<Written> | undefined;

  async function write(): Promise<Written> {
    writer ??= loadWriter();
    return (await writer)();
  }

  /** Loads the writer; if loading fails, the next request tries again. */
  async function loadWriter(): Promise<() => Promise<Written>> {
    try {
      const { makeWriter } = await import('./prometheus.ts');
      return makeWriter(durations, figures);
    } catch (error) {
      writer = undefined;
      throw error;
    }
  }

  function once(): Promise<Written> {
    writing ??= write().finally(() => (writing = undefined));
    return writing;
  }

  app.get('/metrics', { onRequest: requireLoopbackHost(config) }, async (request, reply) => {
    requireAllowed(request, config);
    const { contentType, text } = await once();
    return reply.headers({ 'cache-control': 'no-store', 'content-type': contentType }).send(text);
  });
}

export const metricsRoutes = [{ method: 'GET', path: '/metrics' }] as const;
