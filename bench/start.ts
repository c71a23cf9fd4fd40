// From the command to ready, on an empty data folder and on an existing one, and the idle memory.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serverProgram, startChild } from './parts/child.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { quiet } from './parts/quiet.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const restMs = 5_000;

/** Returns the memory of a process in MB, from a line of /proc/PID/status or smaps_rollup. Linux only. */
async function memoryMb(pid: number, file: string, line: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1000;
}

/** Returns all descendants of a process. */
async function below(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (one) => {
      const text = await readFile(`/proc/${one}/status`, 'utf8').catch(() => '');
      return { pid: one, parent: Number(/^PPid:\s+(\d+)/m.exec(text)?.[1] ?? 0) };
    }),
  );
  const children = parents.filter(({ parent }) => parent === pid).map((one) => one.pid);
  return [...children, ...(await Promise.all(children.map(below))).flat()];
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
const start = () =>
  startChild({ program: serverProgram, env: { DATA_DIR: join(folder, 'data') }, ready: '/readyz' });

const firsts: number[] = [];
const later: number[] = [];
const atRest: number[] = [];
const database: number[] = [];
try {
  for (let round = 0; round < 3; round += 1) {
    await rm(join(folder, 'data'), { recursive: true, force: true });
    await quiet();
    await using first = await start();
    firsts.push(first.startSeconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    await quiet();
    await using colophon = await start();
    later.push(colophon.startSeconds);
    await wait(restMs);
    atRest.push(await memoryMb(colophon.pid, 'status', 'VmRSS'));
    const shares = (await below(colophon.pid)).map((pid) => memoryMb(pid, 'smaps_rollup', 'Pss'));
    database.push((await Promise.all(shares)).reduce((sum, one) => sum + one, 0));
    process.stderr.write('.');
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stderr.write('\n');

const seconds = (numbers: readonly number[]) => `${roundToThree(median(numbers))} s`;
const megabytes = (numbers: readonly number[]) => `${roundToThree(median(numbers))} MB`;
show('start', [
  { what: 'first start ever', measured: seconds(firsts), goal: '10 s' },
  { what: 'start on existing data', measured: seconds(later), goal: '2.5 s' },
  { what: 'server process at rest', measured: megabytes(atRest), goal: '150 MB' },
  { what: 'its PostgreSQL at rest', measured: megabytes(database), goal: '' },
]);
