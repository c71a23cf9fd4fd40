// The figures of all processes, collected for one request to /metrics.
import { setTimeout as wait } from 'node:timers/promises';
import type { Child } from './child.ts';
import type { Figures } from './messages.ts';

/** Prometheus itself waits for ten seconds; a process that does not answer is left out. */
const patienceMs = 4_000;

interface Round {
  readonly found: Figures[];
  readonly expected: Set<Child>;
  readonly complete: PromiseWithResolvers<void>;
}

function settle(round: Round, child: Child): void {
  round.expected.delete(child);
  if (round.expected.size === 0) round.complete.resolve();
}

type Why = 'ended' | 'stuck' | 'memory';

/** A metric in the form of prom-client, which this process does not load. */
function metric(named: { name: string; help: string }, type: string, values: readonly object[]) {
  return { ...named, type, aggregator: 'sum', values };
}

/** Counts what the supervisor did. */
function openOwnFigures(children: () => Iterable<Child>) {
  const replaced: Record<Why, number> = { ended: 0, stuck: 0, memory: 0 };
  const ready = {
    name: 'colophon_processes_ready',
    help: 'Processes of this host that are ready.',
  };
  const again = {
    name: 'colophon_processes_replaced_total',
    help: 'Processes that another one replaced: they ended, did not respond, or used too much memory.',
  };
  const memory = { name: 'process_resident_memory_bytes', help: 'Resident memory size in bytes.' };
  return {
    count: (why: Why) => (replaced[why] += 1),
    read: () => [
      metric(ready, 'gauge', [
        { labels: {}, value: [...children()].filter((child) => child.isReady()).length },
      ]),
      metric(
        again,
        'counter',
        Object.entries(replaced).map(([reason, value]) => ({ labels: { reason }, value })),
      ),
      metric(memory, 'gauge', [{ labels: {}, value: process.memoryUsage.rss() }]),
    ],
  };
}

/** The part of a metric of prom-client that is read here. */
interface Metric {
  readonly name: string;
  readonly type: string;
  readonly values: readonly { readonly metricName?: string; labels: object; value: number }[];
}

const isCounted = ({ name, type }: Metric) =>
  (type === 'counter' || type === 'histogram') && !/^(?:process|nodejs)_/.test(name);

/**
 * Keeps what ended processes counted, as of their last scrape. Otherwise a sum would go back, and Prometheus
 * would take all of it for new.
 */
function openEnded() {
  const seen = new Map<Child, readonly Metric[]>();
  const kept = new Map<string, Metric>();
  const values = new Map<string, { value: number }>();

  function keep(metric: Metric): void {
    const { name } = metric;
    const known = kept.get(name) ?? { ...metric, values: [] };
    const all = [...known.values];
    for (const one of metric.values) {
      const key = JSON.stringify([one.metricName ?? name, one.labels]);
      const sum = values.get(key);
      if (sum !== undefined) sum.value += one.value;
      else {
        const own = { ...one };
        values.set(key, own);
        all.push(own);
      }
    }
    kept.set(name, { ...known, values: all });
  }

  return {
    see: (child: Child, figures: unknown) => seen.set(child, (figures ?? []) as readonly Metric[]),
    end: (child: Child) => {
      for (const metric of seen.get(child) ?? []) if (isCounted(metric)) keep(metric);
      seen.delete(child);
    },
    read: () => [...kept.values()],
  };
}

/** Collects the figures of every process that is ready, and counts what the supervisor did. */
export function openFigures(children: () => Iterable<Child>) {
  const own = openOwnFigures(children);
  const ended = openEnded();
  const rounds = new Map<number, Round>();
  let last = 0;
  return {
    count: own.count,
    end: ended.end,
    read: async (): Promise<readonly Figures[]> => {
      const expected = new Set([...children()].filter((child) => child.isReady()));
      const round: Round = { found: [], expected, complete: Promise.withResolvers() };
      const id = (last += 1);
      rounds.set(id, round);
      for (const child of expected) {
        child.send({ kind: 'figures', id });
        void child.ended.then(() => settle(round, child));
      }
      const done = new AbortController();
      const late = wait(patienceMs, undefined, { signal: done.signal }).catch(() => undefined);
      if (expected.size > 0) await Promise.race([round.complete.promise, late]);
      done.abort();
      rounds.delete(id);
      const supervisor = { process: 'supervisor', figures: own.read() };
      return [...round.found, supervisor, { process: 'ended', figures: ended.read() }];
    },
    receive: (id: number, child: Child, figures: unknown) => {
      const round = rounds.get(id);
      if (round === undefined || !round.expected.has(child)) return;
      round.found.push({ process: child.slot.name, figures });
      ended.see(child, figures);
      settle(round, child);
    },
  };
}
