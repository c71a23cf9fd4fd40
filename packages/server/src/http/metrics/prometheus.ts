// Writes figures in the text format of Prometheus. Loaded on first use.
import { AggregatorRegistry, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from 'prom-client';
import { bounds } from './durations.ts';
import type { Answers, Durations } from './durations.ts';

/** One figure, read on demand; null if it has no value now. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  /** `counter` if it only increases while the process runs. */
  readonly type: 'gauge' | 'counter';
  /** `host`: every process reads the same value; otherwise the values of all processes are added up. */
  readonly of?: 'host';
  readonly read: () => number | null | Promise<number | null>;
}

/** Milliseconds between measurements of the event loop delay. */
const delayMs = 50;

function valuesOf({ route, method, status, classes, seconds }: Answers, name: string) {
  const labels = { method, route, status };
  let answers = 0;
  const buckets = [...classes].map((count, at) => {
    answers += count;
    const le = bounds[at] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: answers };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: answers },
  ];
}

/** Wraps values that are counted elsewhere as a metric of the library. */
function asMetric(named: { name: string; help: string }, get: () => Promise<object>): Metric {
  return { ...named, get } as unknown as Metric;
}

function figureMetric({ name, help, type, of, read }: Figure): Metric {
  const aggregator = of === 'host' ? 'max' : 'sum';
  return asMetric({ name, help }, async () => {
    const value = await read();
    return { name, help, type, aggregator, values: value === null ? [] : [{ labels: {}, value }] };
  });
}

function histogramOf(durations: Durations): Metric {
  const name = 'http_request_duration_seconds';
  const help =
    'Seconds from a request to the start of its response, including the wait of long polls.';
  return asMetric({ name, help }, async () => {
    const values = durations.rows().flatMap((answers) => valuesOf(answers, name));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  });
}

export interface Written {
  readonly contentType: string;
  readonly text: string;
}

interface OwnMetric {
  readonly name: string;
  readonly aggregator: string;
  readonly values: readonly { readonly labels: object }[];
}

export interface Writer {
  /** Returns the values of this process, for the process that writes those of all. */
  read(): Promise<unknown>;
  /** Writes the values of these processes; without them, those of this one. */
  write(all?: readonly { readonly process: string; readonly figures: unknown }[]): Promise<Written>;
}

/** Memory, processor time and the event loop are those of one process; the label tells which. */
function labelMetrics(process: string, figures: unknown): OwnMetric[] {
  return ((figures ?? []) as readonly OwnMetric[]).map((metric) => {
    if (!/^(?:process|nodejs)_/.test(metric.name)) return metric;
    const values = metric.values.map((one) => ({ ...one, labels: { ...one.labels, process } }));
    // Every label set is that of one process, so that nothing is added up.
    return { ...metric, aggregator: 'sum', values };
  });
}

/** Returns what reads and writes the current values. */
export function makeWriter(durations: Durations, figures: readonly Figure[]): Writer {
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: delayMs });
  register.registerMetric(histogramOf(durations));
  for (const figure of figures) register.registerMetric(figureMetric(figure));
  const { contentType } = register;
  return {
    read: () => register.getMetricsAsJSON(),
    write: async (all) => {
      if (all === undefined) return { contentType, text: await register.metrics() };
      const metrics = all.map((one) => labelMetrics(one.process, one.figures));
      const together = AggregatorRegistry.aggregate(metrics);
      return { contentType, text: await together.metrics() };
    },
  };
}
