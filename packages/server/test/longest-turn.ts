// Measures the turns of the event loop of a server that runs in the process of its test.
import process from 'node:process';

/** The most milliseconds of processor time that the thread takes in one turn of the event loop. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let since = process.threadCpuUsage();
  let next: NodeJS.Immediate;
  const look = () => {
    const { user, system } = process.threadCpuUsage(since);
    longest = Math.max(longest, (user + system) / 1_000);
    since = process.threadCpuUsage();
    next = setImmediate(look);
  };
  next = setImmediate(look);
  await work();
  clearImmediate(next);
  return longest;
}

/**
 * The least longest turn of three, because collecting garbage may be in one. It stops at the first one that is
 * below `mostMs`: the least is below it too.
 */
export async function leastTurn(mostMs: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < 3 && least >= mostMs; n += 1)
    least = Math.min(least, await longestTurn(work));
  return least;
}

const sample = 'é‹a\u0301'.repeat(20_000);
/** What the work of `slowness` takes on the machine on which the bounds of turns were chosen. */
const usualMs = 55;

/**
 * How many times longer this machine takes now for the same work on texts than the one on which bounds were chosen:
 * from 1 to 8. A bound of a turn is multiplied by it.
 */
export function slowness(): number {
  const before = process.threadCpuUsage();
  for (let n = 0; n < 60; n += 1) sample.normalize('NFD').replaceAll('a', '<');
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(8, Math.max(1, (user + system) / 1_000 / usualMs));
}
