// The counts of all processes in one place: buckets of limits, and open connections of each address.
import { openBuckets } from '#lib/token-buckets';
import type { Buckets } from '#lib/token-buckets';
import type { Question } from './messages.ts';

/** Number of keys stored for each limit and kind of key: about 5 MB each when full. */
const keysMax = 50_000;

export interface Counts {
  /** Returns the answer to a question; undefined if it has none. */
  answer(process: number, question: Question): unknown;
  /** Forgets the connections of a process that has ended. */
  forget(process: number): void;
}

/** A key is `policy:kind:id`. Each kind has its own room: many addresses must not displace accounts. */
function openAllBuckets() {
  const all = new Map<string, Buckets>();
  return (key: string, requests: number, windowMs: number): Buckets => {
    const [policy, kind] = key.split(':', 2);
    const name = `${policy}:${kind}:${requests}/${windowMs}`;
    const known = all.get(name);
    if (known !== undefined) return known;
    const buckets = openBuckets({ requests, windowMs }, keysMax);
    all.set(name, buckets);
    return buckets;
  };
}

function add(counts: Map<string, number>, address: string, by: 1 | -1): number {
  const count = (counts.get(address) ?? 0) + by;
  if (count > 0) counts.set(address, count);
  else counts.delete(address);
  return count;
}

function openConnections() {
  const total = new Map<string, number>();
  const byProcess = new Map<number, Map<string, number>>();
  return {
    count: (process: number, address: string, by: 1 | -1): number => {
      const own = byProcess.get(process) ?? new Map<string, number>();
      byProcess.set(process, own);
      add(own, address, by);
      return add(total, address, by);
    },
    forget: (process: number) => {
      for (const [address, count] of byProcess.get(process) ?? [])
        for (let left = count; left > 0; left -= 1) add(total, address, -1);
      byProcess.delete(process);
    },
  };
}

/** Opens the counts. Each question is answered in one step, so N at once admit exactly the allowance. */
export function openCounts(): Counts {
  const bucketsOf = openAllBuckets();
  const connections = openConnections();

  return {
    answer: (process, question) => {
      if (question[0] === 'enter') return connections.count(process, question[1], 1);
      if (question[0] === 'leave') connections.count(process, question[1], -1);
      if (question[0] !== 'take' && question[0] !== 'charge') return undefined;
      const [kind, key, requests, windowMs, amount] = question;
      const buckets = bucketsOf(key, requests, windowMs);
      if (kind === 'take') return buckets.take(key, amount);
      buckets.charge(key, amount);
      return undefined;
    },
    forget: connections.forget,
  };
}
