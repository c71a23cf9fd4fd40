// The figures of all processes, collected for one request to /metrics.
import { setTimeout as wait } from 'node:timers/promises';
import type { Child } from './child.ts';
import type { Figures } from './messages.ts';

/** Prometheus itself waits for ten seconds; of a process that does not answer, the last counts are used. */
const usualPatienceMs = 4_000;

interface Round {
  readonly expected: Set<Child>;
  readonly answered: Set<Child>;
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

const ready = {
  name: 'colophon_processes_ready',
  help: 'Processes of this host that are ready and respond.',
};
const expected = {
  name: 'colophon_processes_expected',
  help: 'Processes that this host should have.',
};
const again = {
  name: 'colophon_processes_replaced_total',
  help: 'Processes that another one replaced: they ended, did not respond, or used too much memory.',
};
const memory = { name: 'process_resident_memory_bytes', help: 'Resident memory size in bytes.' };

/** What the figures are made of. */
export interface Counted {
  readonly children: () => Iterable<Child>;
  /** Whether a process answered one of the last pings. */
  readonly responds: (child: Child) => boolean;
  /** Number of processes that this host should have. */
  readonly expected: number;
  readonly patienceMs?: number;
}

/** Counts what the supervisor did. */
function openOwnFigures(counted: Counted) {
  const replaced: Record<Why, number> = { ended: 0, stuck: 0, memory: 0 };
  const serving = (child: Child) =>
    child.isReady() && !child.isStopping() && counted.responds(child);
  /** During a replacement a slot has two processes. */
  const countReady = () =>
    new Set([...counted.children()].filter(serving).map(({ slot }) => slot.name)).size;
  return {
    count: (why: Why) => (replaced[why] += 1),
    read: () => [
      metric(ready, 'gauge', [{ labels: {}, value: countReady() }]),
      metric(expected, 'gauge', [{ labels: {}, value: counted.expected }]),
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

/** Adds up what ended processes counted. */
function openSums() {
  const kept = new Map<string, Metric>();
  const values = new Map<string, { value: number }>();

  function keep(one: Metric): void {
    const { name } = one;
    const known = kept.get(name) ?? { ...one, values: [] };
    const all = [...known.values];
    for (const item of one.values) {
      const key = JSON.stringify([item.metricName ?? name, item.labels]);
      const sum = values.get(key);
      if (sum !== undefined) sum.value += item.value;
      else {
        const own = { ...item };
        values.set(key, own);
        all.push(own);
      }
    }
    kept.set(name, { ...known, values: all });
  }

  return { keep, read: () => [...kept.values()] };
}

/**
 * Keeps what each process counted, as of its last answer. Without that a sum would go back when a process ends
 * or does not answer, and Prometheus would take all of it for new.
 */
function openLast() {
  const last = new Map<Child, readonly Metric[]>();
  const ended = openSums();

  /** During a replacement two processes have one name; their memory and time are not added up. */
  const labelOf = (child: Child) =>
    child.isStopping() ? `${child.slot.name}-stopping` : child.slot.name;

  return {
    see: (child: Child, figures: unknown) => {
      if (Array.isArray(figures)) last.set(child, figures as readonly Metric[]);
    },
    end: (child: Child) => {
      for (const one of last.get(child) ?? []) if (isCounted(one)) ended.keep(one);
      last.delete(child);
    },
    read: (answered: ReadonlySet<Child>): Figures[] => [
      ...[...last].map(([child, all]) => ({
        process: labelOf(child),
        figures: answered.has(child) ? all : all.filter(isCounted),
      })),
      { process: 'ended', figures: ended.read() },
    ],
  };
}

/** Collects the figures of every process that is ready, and counts what the supervisor did. */
export function openFigures(counted: Counted) {
  const { children, responds, patienceMs = usualPatienceMs } = counted;
  const own = openOwnFigures(counted);
  const last = openLast();
  const ended = new WeakSet<Child>();
  const rounds = new Map<number, Round>();
  let lastId = 0;
  return {
    count: own.count,
    /** Keeps the last figures of a process that is about to end: nothing asks it again. */
    keep: (child: Child, figures: unknown) => {
      if (!ended.has(child)) last.see(child, figures);
    },
    end: (child: Child) => {
      ended.add(child);
      last.end(child);
      for (const round of rounds.values()) settle(round, child);
    },
    read: async (): Promise<readonly Figures[]> => {
      const asked = [...children()].filter((child) => child.isReady() && responds(child));
      const complete = Promise.withResolvers<void>();
      const round: Round = { expected: new Set(asked), answered: new Set(), complete };
      const id = (lastId += 1);
      rounds.set(id, round);
      for (const child of asked) child.send({ kind: 'figures', id });
      const done = new AbortController();
      const late = wait(patienceMs, undefined, { signal: done.signal }).catch(() => undefined);
      if (asked.length > 0) await Promise.race([complete.promise, late]);
      done.abort();
      rounds.delete(id);
      const supervisor = { process: 'supervisor', figures: own.read() };
      return [...last.read(round.answered), supervisor];
    },
    receive: (id: number, child: Child, figures: unknown) => {
      // Its last message may arrive after its end, when what it counted is in the sums already.
      if (ended.has(child)) return;
      last.see(child, figures);
      const round = rounds.get(id);
      if (round?.expected.has(child) !== true) return;
      if (Array.isArray(figures)) round.answered.add(child);
      settle(round, child);
    },
  };
}
