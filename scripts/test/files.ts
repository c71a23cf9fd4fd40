// Which test files there are, in which order they run, and which need a process of their own.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const timesFile = resolve(import.meta.dirname, 'file-seconds.json');
const folders = ['packages/*/src', 'packages/*/test', 'scripts'];
/** Of files without a record. */
const usualSeconds = 2;

/**
 * Files in these places run in a process of their own: they start and kill servers, change the
 * environment, or measure memory and the event loop of their process.
 */
const alone = [
  /^scripts\//,
  /^packages\/sdk\//,
  /^packages\/server\/src\/[\w-]+\.test\.ts$/,
  /^packages\/server\/src\/lib\/id\.test\.ts$/,
  /^packages\/server\/src\/(database|outbox|storage|images|drawing|text|http|ledger)\//,
  /^packages\/server\/test\/(faults|browser|bad-input|media)\//,
  /^packages\/server\/test\/(admin|audit|architecture|kernel|metrics|rates|reindex|secrets)[\w-]*\.test\.ts$/,
];

/** A moved clock makes ids that lie ahead, and the ids of a process ascend: they would in the next file too. */
const movesClock = /\bnow: \(\) =>|\bservices\.now\b/;

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

export function mayShareProcess(file: string): boolean {
  const path = relative(root, file);
  return !alone.some((place) => place.test(path)) && !movesClock.test(readFileSync(file, 'utf8'));
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
