// Finds the test files, their order, and which of them need a process of their own.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isSlow } from './slow-files.ts';

const root = resolve(import.meta.dirname, '../..');
const timesFile = resolve(import.meta.dirname, 'file-seconds.json');
const folders = ['packages/*/src', 'packages/*/test', 'scripts'];
/** For files without a record. */
const usualSeconds = 2;

/**
 * Matches files that change the process as a whole: its settings, its limits, how it loads modules. The next pattern matches
 * files that measure its memory or event loop.
 */
const changesProcess =
  /\bprocess\.(?:umask|chdir)\(|\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bdelete process\.env\b|\bObject\.assign\(process\.env\b|\bregisterHooks\(|\bstartCounted\(|\btakeDescriptors\(/;
const measuresProcess =
  /\b(?:memoryUsage|cpuUsage|resourceUsage|monitorEventLoopDelay|eventLoopUtilization)\b/;

/**
 * A clock that is set ahead makes ids that lie in the future. The ids of a process ascend, so the next file
 * gets such ids too. Files that set the clock expect that.
 */
const movesClock = /\bnow: \(\) =>|\bservices\.now\b/;

/**
 * Where a file runs: in a process that it shares with others; in such a process behind all of those, where only
 * files of its kind follow; or in a process of its own.
 */
export type Placement = 'shared' | 'last' | 'alone';

/** Files that do one of these in a way that their text does not show, or that leave the process as it was. */
const exceptions: Readonly<Record<string, Placement>> = {
  // Makes ids of all times.
  'packages/server/src/lib/id.test.ts': 'alone',
  // Writes down the statements of its process.
  'packages/server/test/plans.long.test.ts': 'alone',
  // Set a variable, and delete it again.
  'packages/server/src/config/env-file.test.ts': 'shared',
  'packages/server/test/code-samples.test.ts': 'shared',
};

/** Tests of a distributed database, which another one would skip. */
const ofCitus = '.citus.test.ts';

/**
 * Returns all test files (`.long.test.ts` only in a long run, `.citus.test.ts` only on a distributed database), or
 * those whose path contains one of the words, as absolute paths.
 */
export function testFiles(words: readonly string[], onCitus = false): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules/**', 'packages/server/test/architecture-canary/**'] },
  )
    .filter((file) => process.env['LONG'] || !file.endsWith('.long.test.ts'))
    .filter((file) => onCitus || !file.endsWith(ofCitus))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .toSorted()
    .map((file) => resolve(root, file));
}

/** Returns which of these files `npm test` leaves out. */
export function slowAmong(files: readonly string[]): string[] {
  return files.filter((file) => isSlow(relative(root, file)));
}

/** Decides by the text of the file. */
export function placementOf(file: string): Placement {
  const exception = exceptions[relative(root, file)];
  if (exception !== undefined) return exception;
  const text = readFileSync(file, 'utf8');
  if (changesProcess.test(text) || measuresProcess.test(text)) return 'alone';
  if (movesClock.test(text)) return 'last';
  return 'shared';
}

function readTimes(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
}

/** Returns the seconds that a file took when times were last recorded. */
export function expectedSeconds(): (file: string) => number {
  const times = readTimes();
  return (file) => times[relative(root, file)] ?? usualSeconds;
}

/** Stores the times of files that take longer than usual: `npm test -- --record-times`. */
export function recordTimes(seconds: ReadonlyMap<string, number>): void {
  const slow = [...seconds]
    .filter(([, time]) => time >= usualSeconds * 1.5)
    .map(([file, time]) => [relative(root, file), Math.round(time)] as const)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
}
