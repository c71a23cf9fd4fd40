// Colophon beside what people would use instead: the same jobs, the same load generator, in alternation.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inTurn, median, show } from './parts/figures.ts';
import { plot } from './parts/plot.ts';
import { treeMemoryMiB } from './parts/process-tree.ts';
import { noise, quiet } from './parts/quiet.ts';
import { startColophonSide } from './peers/colophon.ts';
import { startDirectus } from './peers/directus.ts';
import { startGhost } from './peers/ghost.ts';
import { peersFolder } from './peers/install.ts';
import { jobNames, jobs } from './peers/jobs.ts';
import type { JobName } from './peers/jobs.ts';
import { measure } from './peers/measure.ts';
import { machineRows, markdownOf, rowsOf } from './peers/report.ts';
import type { LoadedMemory, Machine, Result } from './peers/report.ts';
import type { JobFigures, Side } from './peers/side.ts';
import { startStaticFile } from './peers/static-file.ts';
import { makeTexts } from './peers/texts.ts';
import type { Texts } from './peers/texts.ts';
import { startPds } from './peers/pds.ts';
import { startWordPress } from './peers/wordpress.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const starts = Number(process.env['BENCH_STARTS'] ?? 3);
const restSeconds = 10;
/** Minutes without a request after the load, before memory is measured once more: 60 for “an hour after”. */
const idleMinutes = Number(process.env['BENCH_IDLE_MINUTES'] ?? 0);

const starters: Readonly<Record<string, (texts: Texts) => Promise<Side>>> = {
  colophon: startColophonSide,
  pds: startPds,
  ghost: startGhost,
  wordpress: startWordPress,
  directus: startDirectus,
  nginx: startStaticFile,
};
const asked = process.env['BENCH_PEERS']?.split(',') ?? Object.keys(starters);
const askedJobs = jobNames.filter(
  (name) => process.env['BENCH_JOBS']?.split(',').includes(name) ?? true,
);

/** Medians of every figure for itself. */
function mediansOf(runs: readonly JobFigures[]): JobFigures {
  const names = Object.keys(runs[0] ?? {}) as (keyof JobFigures)[];
  const medians = names.map((name) => [name, median(runs.map((run) => run[name]))] as const);
  return Object.fromEntries(medians) as unknown as JobFigures;
}

/** Jobs that a peer failed at: it has no figures there, and the others are measured all the same. */
const failures: string[] = [];

/** Returns a function that measures a side; undefined once it has failed. */
function measurementOf(side: Side, job: JobName): () => Promise<JobFigures | undefined> {
  let hasFailed = false;
  return async () => {
    if (hasFailed) return undefined;
    try {
      return await measure(side, job, seconds);
    } catch (error) {
      // The figures are about Colophon.
      if (side === sides[0]) throw error;
      hasFailed = true;
      failures.push(`${side.name}: ${jobs[job].title}`);
      process.stderr.write(`\n${(error as Error).stack}\n`);
      return undefined;
    }
  };
}

/** Measures a job on all that do it, in turn, after one run of each that is not counted. */
async function compare(job: JobName): Promise<Result[]> {
  const doing = sides.filter(({ works }) => works[job] !== undefined);
  process.stderr.write(`${jobs[job].title}: ${doing.map(({ name }) => name).join(', ')} `);
  const runOf = Object.fromEntries(doing.map((side) => [side.name, measurementOf(side, job)]));
  for (const run of Object.values(runOf)) await run();
  const runs = await inTurn(rounds, runOf);
  return [...runs].flatMap(([side, list]) => {
    const whole = list.filter((figures) => figures !== undefined);
    return whole.length < rounds ? [] : [{ job, side, figures: mediansOf(whole) }];
  });
}

const memoryOfAll = () => Promise.all(sides.map((side) => treeMemoryMiB(side.roots())));

/** Memory of each side after the load; with idle minutes also after these. */
async function loadedMemory(): Promise<readonly LoadedMemory[]> {
  const afterLoad = await memoryOfAll();
  if (idleMinutes === 0) return afterLoad.map((afterLoadMiB) => ({ afterLoadMiB }));
  process.stderr.write(`No requests for ${idleMinutes} minutes …\n`);
  await wait(idleMinutes * 60_000);
  const afterIdle = await memoryOfAll();
  return afterLoad.map((afterLoadMiB, index) => ({ afterLoadMiB, afterIdleMiB: afterIdle[index] }));
}

/** Memory after a new start on the data, and the time that the start took. */
async function restarts(side: Side, loaded: LoadedMemory): Promise<Machine> {
  const times: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    await quiet();
    times.push(await side.restart());
  }
  await wait(restSeconds * 1000);
  const restMiB = await treeMemoryMiB(side.roots());
  return { side: side.name, startSeconds: median(times), restMiB, ...loaded };
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(folder, { recursive: true, force: true }));
const texts = await makeTexts(folder);
const sides: Side[] = [];
for (const name of asked) {
  const start = starters[name];
  if (start === undefined)
    throw new Error(`There is no peer ${name}: name some of ${Object.keys(starters).join(', ')}.`);
  process.stderr.write(`Starting ${name} …\n`);
  sides.push(stack.use(await start(texts)));
}

const facts = {
  machine: {
    processor: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
  },
  versions: Object.fromEntries(sides.map(({ name, version }) => [name, version])),
  rounds,
  seconds,
};

const results: Result[] = [];
const machines: Machine[] = [];

/** Writes what is measured so far: a run takes long, and what fails late must not lose the rest. */
async function writeFigures(): Promise<void> {
  const starts = machineRows(machines);
  const whole = { ...facts, noisyRounds: noise.rounds, failures, rows: rowsOf(results), starts };
  await writeFile(join(peersFolder, 'peers.json'), `${JSON.stringify(whole, null, 2)}\n`);
}

for (const job of askedJobs) {
  results.push(...(await compare(job)));
  await writeFigures();
}
for (const [index, loaded] of (await loadedMemory()).entries()) {
  const side = sides[index];
  if (side !== undefined) machines.push(await restarts(side, loaded));
  await writeFigures();
}

show('peers: starts and memory', machineRows(machines));
show('peers', rowsOf(results), facts);
const bars = results.map(({ job, side, figures }) => ({
  title: jobs[job].title,
  side,
  perSecond: figures.perSecond,
}));
const picture = {
  title: 'Operations a second, Colophon and what people would use instead',
  heading: 'Operations a second (logarithmic)',
};
await writeFile(join(peersFolder, 'peers.md'), markdownOf(results, machines));
await writeFile(join(peersFolder, 'peers.svg'), plot(picture, bars));
process.stderr.write(
  `The figures, a table and a plot are in ${peersFolder}/peers.json, .md, .svg.\n`,
);
