// Writes figures in the text format of Prometheus. Loaded on first use.
import { AggregatorRegistry, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from 'prom-client';
import type { Durations } from './durations.ts';
import { answerTimes, readAnswerTimes, readFigure } from './values.ts';
import type { Described, Figure, Values } from './values.ts';

/** Milliseconds between measurements of the event loop delay. */
const delayMs = 50;

/** Wraps values that are counted elsewhere as a metric of the library. */
function asMetric({ name, help }: Described, get: () => Promise<Values>): Metric {
  return { name, help, get } as unknown as Metric;
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
  register.registerMetric(asMetric(answerTimes, async () => readAnswerTimes(durations)));
  for (const figure of figures) register.registerMetric(asMetric(figure, () => readFigure(figure)));
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
