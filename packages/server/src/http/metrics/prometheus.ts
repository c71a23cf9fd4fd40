// Writes figures in the text format of Prometheus. Loaded on first use.
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from 'prom-client';
import { bounds } from './durations.ts';
import type { Answers, Durations } from './durations.ts';

/** One figure, read on demand; null if it has no value now. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  /** `counter` if it only increases while the process runs. */
  readonly type: 'gauge' | 'counter';
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

function figureMetric({ name, help, type, read }: Figure): Metric {
  return asMetric({ name, help }, async () => {
    const value = await read();
    return { name, help, type, values: value === null ? [] : [{ labels: {}, value }] };
  });
}

function histogramOf(durations: Durations): Metric {
  const name = 'http_request_duration_seconds';
  const help =
    'Seconds from a request to the start of its response, including the wait of long polls.';
  return asMetric({ name, help }, async () => {
    const values = durations.rows().flatMap((answers) => valuesOf(answers, name));
    return { name, help, type: 'histogram', values };
  });
}

export interface Written {
  readonly contentType: string;
  readonly text: string;
}

/** Returns a function that writes the current values. */
export function makeWriter(
  durations: Durations,
  figures: readonly Figure[],
): () => Promise<Written> {
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: delayMs });
  register.registerMetric(histogramOf(durations));
  for (const figure of figures) register.registerMetric(figureMetric(figure));
  return async () => ({ contentType: register.contentType, text: await register.metrics() });
}
