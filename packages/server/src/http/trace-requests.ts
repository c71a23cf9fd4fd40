// The span of a request: from its headers until its answer is sent or its connection ends.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import type { SpanOptions, Traces } from '#tracing';
import { peerReader } from './rate-limits/address.ts';

/** Probes and Prometheus ask every few seconds; nobody looks for their traces. */
const unseen = new Set(['/healthz', '/readyz', '/metrics']);

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * A proxy's trace is continued. A stranger's begins another one, which is linked to it: otherwise anybody could
 * add spans to a trace of others, or have every request recorded.
 */
function originOf(request: FastifyRequest, trusts: (address: string) => boolean): SpanOptions {
  const before = headerOf(request, 'traceparent');
  if (before === undefined) return { root: true };
  if (trusts(request.raw.socket.remoteAddress ?? '')) return { root: true, parent: before };
  return { root: true, links: [before] };
}

/** Records each request. Its span has the route and no path, query, header or address. */
export function traceRequests(
  app: FastifyInstance,
  traces: Traces,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): void {
  const peerOf = peerReader(trustedProxies);
  const trusts = (address: string) => peerOf(address) === undefined;
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && unseen.has(route)) return done();
    const span = traces.start(route === undefined ? request.method : `${request.method} ${route}`, {
      kind: 'server',
      attributes: {
        'http.request.method': request.method,
        ...(route === undefined ? {} : { 'http.route': route }),
        // One that the client chose may say anything.
        ...(headerOf(request, 'x-request-id') === request.id
          ? {}
          : { 'colophon.request_id': request.id }),
      },
      ...originOf(request, trusts),
    });
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      span.set({ 'http.response.status_code': statusCode, 'colophon.answered': writableFinished });
      if (statusCode >= 500) span.fail({ code: String(statusCode) });
      span.end();
    });
    span.run(done);
  });
}
