// npm test: runs all test files but the slow ones, or those whose path contains one of the given words; prints counts.
// npm run test:all, and CI=true, run the slow ones too.
// npm run test:long runs the random and repeated tests with their large numbers too.
// npm run test:citus runs the main ones on the distributed database of CITUS_URL, and checks every plan.
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { countEvents, summary } from './test/counts.ts';
import type { Counts } from './test/counts.ts';
import { expectedSeconds, placementOf, recordTimes, slowAmong, testFiles } from './test/files.ts';
import { killProcessesIn, lastingProcessesIn, processesIn } from './test/leftovers.ts';
import { followProgress } from './test/progress.ts';
import { runFiles } from './test/run-files.ts';
import { chooseSeed } from './test/seed.ts';
import { forgetSettings } from './test/settings.ts';

const root = resolve(import.meta.dirname, '..');
const minute = 60_000;

interface Preparation {
  readonly env: Readonly<Record<string, string>>;
  /** Returns what was found while the tests ran. */
  readonly found?: () => Promise<string>;
  readonly dispose: () => Promise<void>;
}

/** Caching compiled code halves the processor time of loading what a test file imports. */
function keepCompiledCode(): void {
  const folder = resolve(root, 'node_modules/.cache/colophon');
  enableCompileCache(folder);
  process.env['NODE_COMPILE_CACHE'] = folder;
}

/**
 * Makes a folder for all temporary files of the run, accessible to every user. Its path identifies the run's
 * processes.
 */
function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ct-'));
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return folder;
}

async function prepare(citusUrl: string | undefined): Promise<Preparation> {
  const place = citusUrl === undefined ? 'global-setup.ts' : 'citus/setup.ts';
  const [file] = globSync(`packages/server/test/${place}`, { cwd: root });
  if (file === undefined) return { env: {}, dispose: async () => undefined };
  const door = (await import(pathToFileURL(resolve(root, file)).href)) as {
    setup: (citusUrl?: string) => Promise<Preparation>;
  };
  return door.setup(citusUrl);
}

/** The suites of test:citus without words: what operations, pages and forms do, and what follows in the pipeline. */
const mainSuites = [
  'server/src/areas/',
  'server/src/http/',
  'server/src/web/',
  'server/src/outbox/outbox.test.ts',
  'server/src/outbox/batches.test.ts',
  'server/test/moderation',
  'server/test/visibility',
  'server/test/discovery-visibility',
  'server/test/idempotency',
  'server/test/forms/',
  'server/test/web/',
  'server/test/reindex.test.ts',
  'server/test/citus/lost-on-the-way.citus.test.ts',
];

/** Aborts with the reason on a signal. A second signal exits immediately. */
function stopper(folder: string): { readonly signal: AbortSignal; readonly status: () => number } {
  const abort = new AbortController();
  let status = 0;
  const stop = (reason: string, code: number): void => {
    if (abort.signal.aborted) {
      for (const { pid } of processesIn(folder)) process.kill(pid, 'SIGKILL');
      process.exit(code);
    }
    status = code;
    process.stderr.write(`\n${reason}\n`);
    abort.abort(new Error(reason));
  };
  process.on('SIGINT', () => stop('Stopping: interrupted.', 130));
  process.on('SIGTERM', () => stop('Stopping: asked to end.', 143));
  process.on('SIGHUP', () => stop('Stopping: the terminal is gone.', 129));
  return { signal: abort.signal, status: () => status };
}

/**
 * One more than there are processors: a file waits for a third of its time, for processes to start and for
 * connections to end. Each takes up to 1.5 GiB with its servers.
 */
function filesAtOnce(): number {
  const fitting = Math.floor(totalmem() / (1.5 * 2 ** 30));
  return Math.max(1, Math.min(availableParallelism() + 1, fitting));
}

/** Prints each file's results together, in the order in which the files end. */
async function runAll(files: readonly string[], signal: AbortSignal, record: boolean) {
  const reporter = spec();
  reporter.pipe(process.stdout, { end: false });
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const seconds = new Map<string, number>();
  const expected = expectedSeconds();
  const atOnce = filesAtOnce();
  const progress = followProgress(files, expected, atOnce);
  // A hundred thousand writes take an hour.
  const patience = process.env['LONG'] === undefined ? 1 : 8;
  const longestFirst = files.toSorted((one, other) => expected(other) - expected(one));
  const terms = {
    signal,
    atOnce,
    placementOf,
    testMilliseconds: 15 * minute * patience,
    fileMilliseconds: 30 * minute * patience,
  };
  await runFiles(longestFirst, terms, (report) => {
    countEvents(report.events, counts);
    seconds.set(report.file, report.seconds);
    const message = progress.done(report.file, report.seconds);
    reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
    if (report.output !== '') process.stdout.write(report.output);
    for (const event of report.events) reporter.write(event);
  });
  const printed = finished(reporter);
  reporter.end();
  await printed;
  process.stdout.write(`\nThe slowest files:\n${progress.slowest(10)}`);
  if (record && !signal.aborted && counts.failed === 0) recordTimes(seconds);
  return counts;
}

/** Reports processes that the tests left running as a failure, then ends them. */
async function cleanUp(folder: string, counts: Counts, interrupted: boolean): Promise<void> {
  const left = interrupted ? [] : await lastingProcessesIn(folder);
  for (const { pid, command } of left) {
    process.stderr.write(`A test left a process running, now ended: ${pid} ${command}\n`);
    counts.failed += 1;
  }
  await killProcessesIn(folder);
  rmSync(folder, { recursive: true, force: true });
}

const withSlowFiles = ['--all', '--citus', '--record-times'];

/** The slow files too: they are in CI, in a long run, and wherever words name them. */
function runsSlowFiles(words: readonly string[]): boolean {
  if (words.length > 0 || process.env['CI'] || process.env['LONG']) return true;
  return withSlowFiles.some((option) => process.argv.includes(option));
}

function chosenFiles(onCitus: boolean): readonly string[] {
  const words = process.argv
    .slice(2)
    .filter((word) => !word.startsWith('--'))
    .map((word) => word.replace(`${root}/`, ''));
  const all = testFiles(onCitus && words.length === 0 ? mainSuites : words, onCitus);
  const slow = new Set(runsSlowFiles(words) ? [] : slowAmong(all));
  if (slow.size > 0)
    process.stdout.write(`${slow.size} slow files are left out: npm run test:all runs them too.\n`);
  const files = all.filter((file) => !slow.has(file));
  if (files.length === 0) {
    const named = words.map((word) => `"${word}"`).join(' or ');
    process.stdout.write(`No test file's path contains ${named}.\n`);
  }
  return files;
}

/** Prints why the tests could not be run. */
function report(error: unknown): void {
  const reason = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`The tests could not be run: ${reason}\n`);
}

async function runPrepared(
  files: readonly string[],
  signal: AbortSignal,
  citusUrl: string | undefined,
): Promise<Counts> {
  const { env, dispose, found } = await prepare(citusUrl);
  // The processes of the test files inherit it.
  Object.assign(process.env, env);
  try {
    const counts = await runAll(files, signal, process.argv.includes('--record-times'));
    if (found !== undefined) process.stdout.write(await found());
    return counts;
  } finally {
    await dispose();
  }
}

async function main(): Promise<number> {
  const onCitus = process.argv.includes('--citus');
  const citusUrl = onCitus ? process.env['CITUS_URL'] : undefined;
  if (onCitus && citusUrl === undefined) {
    process.stdout.write('Skipped: set CITUS_URL to a coordinator with the extension citus.\n');
    return 0;
  }
  // The tests read it in packages/server/test/effort.ts.
  if (process.argv.includes('--long')) process.env['LONG'] = '1';
  else delete process.env['LONG'];
  process.env['SEED'] = String(chooseSeed(root, process.argv.includes('--long')));
  const files = chosenFiles(onCitus);
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0) {
    process.stdout.write(`${summary(counts)}\n`);
    return 1;
  }
  forgetSettings(process.env);
  keepCompiledCode();
  const folder = makeRunFolder();
  process.stdout.write(`SEED=${process.env['SEED']}\n`);
  const { signal, status } = stopper(folder);
  let failure: unknown;
  try {
    counts = await runPrepared(files, signal, citusUrl);
  } catch (error) {
    failure = error;
    report(error);
  }
  await cleanUp(folder, counts, signal.aborted);
  process.stdout.write(`${summary(counts)}\n`);
  const none = counts.passed + counts.failed === 0;
  return status() || Number(failure !== undefined || none || counts.failed > 0);
}

const code = await main();
// Exits explicitly: resources left open by a failed preparation must not keep the run alive.
process.stdout.write('', () => process.exit(code));
