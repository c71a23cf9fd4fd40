// Rules for tests that look at the sessions of PostgreSQL, which other test files share.
import { isTest } from './sources.ts';
import type { Source } from './sources.ts';

/** Each look at sessions, up to the end of its text. */
const looks = /\bfrom\s+pg_stat_activity\b[^`";]*/g;
const ofOneDatabase = /\bdatname\b|\bpg_blocking_pids\b/;
const countsLocks =
  /\bwait_event_type\s*=\s*'Lock'(?!\s+and\s+query\s+like)|\buntilWaiting\(server\b/;
const withoutJobs = /\bROLE: 'web'|\buntilSettled\(|\bblockedByLock\(/;

const isOfTests = (source: Source) => isTest(source) || /\/test\//.test(source.file);

/** Looks at sessions that do not say of which database: they find those of other test files too. */
export function looksEverywhere(sources: readonly Source[]): string[] {
  return sources.filter(isOfTests).flatMap(({ file, text }) =>
    Array.from(text.matchAll(looks), ([look]) => look)
      .filter((look) => !ofOneDatabase.test(look))
      .map(() => file),
  );
}

/** Tests that count who waits for a lock while a pipeline runs, whose job could be counted as the request. */
export function countsJobs(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file, text }) => file.endsWith('.test.ts') && /\bstartServer\(/.test(text))
    .filter(({ text }) => countsLocks.test(text) && !withoutJobs.test(text))
    .map(({ file }) => file);
}
