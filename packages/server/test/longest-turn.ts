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
