// Which test files there are, in which order they run, and which need a process of their own.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const timesFile = resolve(import.meta.dirname, 'file-seconds.json');
const folders = ['packages/*/src', 'packages/*/test', 'scripts'];
/** Of files without a record. */
const usualSeconds = 2;

/**
 * What changes or measures the process as a whole: its settings, how it loads modules, its memory, its event
 * loop. radosgw puts its keys into the environment.
 */
const changesProcess =
  /\bprocess\.(?:umask|chdir)\(|\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bdelete process\.env\b|\bObject\.assign\(process\.env\b|\bregisterHooks\(|\bstartS3\(/;
const measuresProcess =
  /\b(?:memoryUsage|cpuUsage|resourceUsage|monitorEventLoopDelay|eventLoopUtilization)\b/;

/** A moved clock makes ids that lie ahead, and the ids of a process ascend: they would in the next file too. */
const movesClock = /\bnow: \(\) =>|\bservices\.now\b/;

/**
 * Where a file runs: in a process that it shares with others, at the end of such a process, or in a process
 * of its own.
 */
export type Place = 'shared' | 'last' | 'alone';

/** Files that do one of these in a way that their text does not show. */
const exceptions: Readonly<Record<string, Place>> = {
  // Makes ids of all times.
  'packages/server/src/lib/id.test.ts': 'last',
};

/** All test files (`.long.test.ts` only in a long run), or those whose path contains one of the words, as absolute paths. */
export function testFiles(words: readonly string[]): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules/**', 'packages/server/test/architecture-canary/**'] },
  )
    .filter((file) => process.env['LONG'] || !file.endsWith('.long.test.ts'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .toSorted()
    .map((file) => resolve(root, file));
}

/** Decides by what the text of the file does. */
export function placeOf(file: string): Place {
  const text = readFileSync(file, 'utf8');
  if (changesProcess.test(text) || measuresProcess.test(text)) return 'alone';
  if (movesClock.test(text)) return 'last';
  return exceptions[relative(root, file)] ?? 'shared';
}

function readTimes(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
}

/** Seconds that a file took when times were last recorded. */
export function expectedSeconds(): (file: string) => number {
  const times = readTimes();
  return (file) => times[relative(root, file)] ?? usualSeconds;
}

/** Remembers the files that take longer than usual: `npm test -- --record-times`. */
export function recordTimes(seconds: ReadonlyMap<string, number>): void {
  const slow = [...seconds]
    .filter(([, time]) => time >= usualSeconds * 1.5)
    .map(([file, time]) => [relative(root, file), Math.round(time)] as const)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
}
