// npm test: runs every test file, or those whose path holds one of the words given, and ends with the counts.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { availableParallelism } from 'node:os';
import { finished } from 'node:stream/promises';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { countEvents, summary } from './test/counts.ts';
import type { Counts } from './test/counts.ts';
import { runFiles } from './test/run-files.ts';

const root = resolve(import.meta.dirname, '..');
const folders = ['packages/*/src', 'packages/*/test', 'scripts'];
const wholeRunMilliseconds = 18.5 * 60_000;
const ownSettings =
  /^(PG[A-Z]+|COLOPHON_\w+|DATABASE_URL|DATA_DIR|HOST|PORT|(ERRORS_|MEDIA_)?BASE_URL|MEDIA_STORE|AWS_[A-Z_]+|ROLE|LIMITS|REDIS_URL|TRUSTED_PROXIES|REGISTRATION|DEPLOYMENT|LOG_LEVEL)$/;

interface Preparation {
  readonly env: Readonly<Record<string, string>>;
  readonly dispose: () => Promise<void>;
}

function testFiles(words: readonly string[]): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules/**', 'packages/server/test/architecture-canary/**'] },
  )
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .toSorted()
    .map((file) => resolve(root, file));
}

/** Whatever this machine's user has set up must decide nothing: the tests bring what they need. */
function forgetSettings(): void {
  for (const name of Object.keys(process.env)) {
    if (ownSettings.test(name)) delete process.env[name];
  }
}

async function prepare(): Promise<Preparation> {
  const [file] = globSync('packages/server/test/global-setup.ts', { cwd: root });
  if (file === undefined) return { env: {}, dispose: async () => undefined };
  const door = (await import(pathToFileURL(resolve(root, file)).href)) as {
    setup: () => Promise<Preparation>;
  };
  return door.setup();
}

/** Aborts with the reason when a signal comes or the time is up. A second signal ends at once. */
function stopper(): { readonly signal: AbortSignal; readonly status: () => number } {
  const abort = new AbortController();
  let status = 0;
  const stop = (reason: string, code: number): void => {
    if (abort.signal.aborted) process.exit(code);
    status = code;
    process.stderr.write(`\n${reason}\n`);
    abort.abort(new Error(reason));
  };
  process.on('SIGINT', () => stop('Stopping: interrupted.', 130));
  process.on('SIGTERM', () => stop('Stopping: asked to end.', 143));
  process.on('SIGHUP', () => stop('Stopping: the terminal is gone.', 129));
  setTimeout(
    () => stop(`Stopping: the tests took longer than ${wholeRunMilliseconds / 60_000} minutes.`, 1),
    wholeRunMilliseconds,
  ).unref();
  return { signal: abort.signal, status: () => status };
}

/** Prints each file's results whole, in the order in which files end. */
async function runAll(files: readonly string[], signal: AbortSignal): Promise<Counts> {
  const reporter = spec();
  reporter.pipe(process.stdout, { end: false });
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  await runFiles(files, { signal, atOnce: Math.max(2, availableParallelism()) }, (events) => {
    countEvents(events, counts);
    for (const event of events) reporter.write(event);
  });
  const printed = finished(reporter);
  reporter.end();
  await printed;
  return counts;
}

async function main(): Promise<number> {
  const words = process.argv.slice(2).map((word) => word.replace(`${root}/`, ''));
  const files = testFiles(words);
  const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0) {
    process.stdout.write(
      `No test file's path holds ${words.map((word) => `"${word}"`).join(' or ')}.\n${summary(nothing)}\n`,
    );
    return 1;
  }
  forgetSettings();
  const { signal, status } = stopper();
  let counts = nothing;
  let failure: unknown;
  try {
    const { env, dispose } = await prepare();
    // The processes of the files inherit it.
    Object.assign(process.env, env);
    try {
      counts = await runAll(files, signal);
    } finally {
      await dispose();
    }
  } catch (error) {
    failure = error;
    process.stderr.write(
      `The tests could not be run: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
  }
  process.stdout.write(`${summary(counts)}\n`);
  const none = counts.passed + counts.failed === 0;
  return status() || Number(failure !== undefined || none || counts.failed > 0);
}

const code = await main();
// Not left to the event loop: what a failed preparation left open must not hold the run.
process.stdout.write('', () => process.exit(code));
