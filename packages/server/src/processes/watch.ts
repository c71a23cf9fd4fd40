// Watches the processes: finds those whose event loop is stuck, and those that use too much memory.
import { totalmem } from 'node:os';
import type { Child } from './child.ts';

export interface Watch {
  /** Milliseconds between two pings. */
  readonly pingMs: number;
  /** Number of unanswered pings after which a process counts as stuck. */
  readonly missedMax: number;
  /** Bytes of memory above which a process is replaced; it finishes its requests. */
  readonly bytesMax: number;
  /** Milliseconds in which a process is replaced for its memory at most once. */
  readonly replaceMs: number;
  /** Milliseconds in which a new process must be ready, without the time of migrations. */
  readonly startMs: number;
}

const GiB = 1024 ** 3;

/** Returns a share of the memory of the machine, or of the limit of the container: 0.5 to 2 GiB. */
function bytesFor(processes: number): number {
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.min(2 * GiB, Math.max(GiB / 2, memory / 2 / processes));
}

export const usualWatch = (processes: number): Watch => ({
  pingMs: 1_000,
  missedMax: 10,
  bytesMax: bytesFor(processes),
  replaceMs: 60_000,
  startMs: 60_000,
});

/** While it starts, a process loads its program. */
const startingFactor = 6;
/** With this many unanswered pings, a process does not count as ready. */
const silentAfter = 3;

export interface Watcher extends Disposable {
  alive(child: Child, bytes: number): void;
  /** Whether the process answered one of the last pings. */
  responds(child: Child): boolean;
}

interface Found {
  readonly children: () => Iterable<Child>;
  readonly stuck: (child: Child) => void;
  readonly large: (child: Child, bytes: number) => void;
}

/**
 * Pings every process. Unanswered pings are counted, not milliseconds: if this process itself was blocked, no
 * other is at fault.
 */
export function watchProcesses(watch: Watch, { children, stuck, large }: Found): Watcher {
  const missed = new WeakMap<Child, number>();
  const wasReady = new WeakSet<Child>();
  const replacedAt = new Map<string, number>();
  const timer = setInterval(() => {
    for (const child of children()) {
      // While it started, more pings could stay unanswered.
      if (child.isReady() && !wasReady.has(child)) missed.set(child, 0);
      if (child.isReady()) wasReady.add(child);
      const count = missed.get(child) ?? 0;
      const max = child.isReady() ? watch.missedMax : startingFactor * watch.missedMax;
      if (count === max) stuck(child);
      missed.set(child, count + 1);
      child.send({ kind: 'ping' });
    }
  }, watch.pingMs);
  return {
    alive: (child, bytes) => {
      missed.set(child, 0);
      const { name } = child.slot;
      const now = performance.now();
      if (bytes <= watch.bytesMax || !child.isReady() || child.isStopping()) return;
      if (now - (replacedAt.get(name) ?? -Infinity) < watch.replaceMs) return;
      replacedAt.set(name, now);
      large(child, bytes);
    },
    responds: (child) => (missed.get(child) ?? 0) <= silentAfter,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
