// GET /metrics: figures for the operator's Prometheus only.
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isLoopback } from '#lib/loopback';
import { requireLoopbackHost } from '../loopback-host.ts';
import { problem } from '../problem.ts';
import { makeDurations } from './durations.ts';
import type { Durations } from './durations.ts';
import type { Writer, Written } from './prometheus.ts';
import { readCounts } from './values.ts';
import type { Figure } from './values.ts';

export type { Figure } from './values.ts';

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

/** The processes of this host, which one answer covers. */
export interface HostFigures {
  /** `read` answers requests of other processes for the figures of this one, `counts` is for its end. */
  onFigures(own: { read(): Promise<unknown>; counts(): unknown }): void;
  figures(): Promise<readonly { readonly process: string; readonly figures: unknown }[]>;
}

/** Returns the current values as text; those of all processes if this one is not alone. */
export type WriteMetrics = () => Promise<Written>;

/**
 * Opens the metrics of this process. `figures` are read on each request, at most one read at a time; without
 * durations it serves no requests.
 */
export function openMetrics(
  given: Durations | undefined,
  figures: readonly Figure[],
  host?: HostFigures,
): WriteMetrics {
  const durations = given ?? makeDurations();
  let writer: Promise<Writer> | undefined;
  let writing: Promise<Written> | undefined;

  /** Loads the writer; if loading fails, the next request tries again. */
  async function load(): Promise<Writer> {
    try {
      const { makeWriter } = await import('./prometheus.ts');
      return makeWriter(durations, figures);
    } catch (error) {
      writer = undefined;
      throw error;
    }
  }

  const loaded = () => (writer ??= load());
  const write = async () => (await loaded()).write(await host?.figures());
  host?.onFigures({
    read: async () => (await loaded()).read(),
    counts: () => readCounts(durations, figures),
  });
  return () => (writing ??= write().finally(() => (writing = undefined)));
}

/** Adds the path. */
export function addMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'metricsToken' | 'baseUrl'>,
  write: WriteMetrics,
): void {
  app.get('/metrics', { onRequest: requireLoopbackHost(config) }, async (request, reply) => {
    requireAllowed(request, config);
    const { contentType, text } = await write();
    return reply.headers({ 'cache-control': 'no-store', 'content-type': contentType }).send(text);
  });
}

export const metricsRoutes = [{ method: 'GET', path: '/metrics' }] as const;
