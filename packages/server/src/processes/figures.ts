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

/** Collects the figures of every process that is ready, and counts what the supervisor did. */
export function openFigures(children: () => Iterable<Child>) {
  const own = openOwnFigures(children);
  const rounds = new Map<number, Round>();
  let last = 0;
  return {
    count: own.count,
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
      return [...round.found, { process: 'supervisor', figures: own.read() }];
    },
    receive: (id: number, child: Child, figures: unknown) => {
      const round = rounds.get(id);
      if (round === undefined || !round.expected.has(child)) return;
      round.found.push({ process: child.slot.name, figures });
      settle(round, child);
    },
  };
}
