// Records spans: the current one, those below it, and the batches in which they are sent.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { problems } from '@colophon/contract';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { Context, Link, Span as ApiSpan, Tracer } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '#config';
import { openExporter } from './exporter.ts';
import type { Log } from './exporter.ts';
import { parseTraceparent, writeTraceparent } from './traceparent.ts';
import type { Span, SpanOptions, Traces } from './traces.ts';

/** A stop waits no longer for the collector. */
const stopMs = 2_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Returns the kind of an error: the name of a problem, a code such as 53100 or ECONNREFUSED, or a class. */
function errorType(error: unknown): string {
  const { problem, code, name } = (error ?? {}) as Record<string, unknown>;
  const kind = [problem, code, name].find((one) => typeof one === 'string');
  // A class or code of a library could contain anything.
  return typeof kind === 'string' && /^[\w-]{1,64}$/.test(kind) ? kind : 'error';
}

/** Whether the client is at fault, and not the service. */
function isRefusal(error: unknown): boolean {
  const { problem = '' } = (error ?? {}) as { problem?: string };
  return problem in problems && problems[problem as keyof typeof problems].status < 500;
}

function linkOf(traceparent: string): Link[] {
  const context = parseTraceparent(traceparent);
  return context === undefined ? [] : [{ context }];
}

function spanOn(api: ApiSpan, context: Context, current: AsyncLocalStorage<Context>): Span {
  return {
    get traceparent() {
      return writeTraceparent(api.spanContext());
    },
    isRecorded: (api.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0,
    run: (work) => current.run(context, work),
    set: (attributes) => void api.setAttributes({ ...attributes }),
    fail: (error) => {
      api.setAttribute('error.type', errorType(error));
      if (!isRefusal(error)) api.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => api.end(),
  };
}

function starter(tracer: Tracer): Traces['start'] {
  const current = new AsyncLocalStorage<Context>();

  function contextAbove({ root, parent }: SpanOptions): Context {
    const before = parseTraceparent(parent);
    if (before !== undefined) return trace.setSpanContext(ROOT_CONTEXT, before);
    return (root === true ? undefined : current.getStore()) ?? ROOT_CONTEXT;
  }

  return (name, options = {}) => {
    const { kind = 'internal', attributes = {}, links = [] } = options;
    const above = contextAbove(options);
    const api = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: { ...attributes }, links: links.flatMap(linkOf) },
      above,
    );
    return spanOn(api, trace.setSpan(above, api), current);
  };
}

/**
 * Opens the collector's connection and returns what records spans. A collector that is slow or dead delays
 * nothing: spans that it does not take are dropped.
 */
export function openTraces(settings: TraceSettings, name: string | undefined, log: Log): Traces {
  const { queueMax, batchMax, pauseMs, timeoutMs, resource } = settings;
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({
      ...resource,
      'service.instance.id': `${process.pid}${name === undefined ? '' : `-${name}`}`,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: openExporter(settings, log),
        maxQueueSize: queueMax,
        maxExportBatchSize: batchMax,
        scheduledDelayMillis: pauseMs,
        exportTimeoutMillis: timeoutMs + 1_000,
      }),
    ],
  });
  const start = starter(provider.getTracer('colophon'));
  return {
    start,
    span: async (title, options, work) => {
      const span = start(title, options);
      try {
        return await span.run(work);
      } catch (error) {
        span.fail(error);
        throw error;
      } finally {
        span.end();
      }
    },
    [Symbol.asyncDispose]: async () => {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, wait(stopMs, undefined, { ref: false })]);
    },
  };
}
