// What the tests of a run share: the ports of the machine, one PostgreSQL server with a database for each of them,
// and each database with the pipeline of its server.
import type { Source } from './sources.ts';

const isOfTests = ({ file }: Source) => /^packages\/server\/test\/|\.test\.ts$/.test(file);
const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length;

/** Ports that are only free at the moment. Only the tests of `freePort` itself need one. */
export function sharedPorts(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ file }) => /^packages\/server\/test\/(?!own-port\.ts|architecture)/.test(file))
    .flatMap(({ file, text }) =>
      Array.from(
        text.matchAll(/\bfreePort\(/g),
        ({ index }) => `${file}:${lineOf(text, index)}: take the port from own-port.ts`,
      ),
    );
}

/** Far enough for the conditions of a statement. */
const statementLength = 250;

/** Statements on sessions and locks of the whole server: those of other tests would be counted too. */
export function foreignSessions(sources: readonly Source[]): readonly string[] {
  return sources
    .filter((source) => isOfTests(source) && !source.file.includes('/test/architecture'))
    .flatMap(({ file, text }) =>
      Array.from(text.matchAll(/\b(?:pg_stat_activity|pg_locks)\b/g), ({ index }) => ({
        line: lineOf(text, index),
        statement: text.slice(index, index + statementLength),
      }))
        .filter(({ statement }) => !/\bdatname\b|\bdatabase = /.test(statement))
        .map(({ line }) => `${file}:${line}: name the database, by datname or database`),
    );
}

const countsLocks =
  /\bwait_event_type\s*=\s*'Lock'(?!\s+and\s+query\s+like)|\buntilWaiting\(server, [^,)]+\)/;
const withoutJobs = /\bROLE: 'web'|\buntilSettled\(|\bblockedByLock\(/;

/** Tests that count who waits for a lock while a pipeline runs: its job could be counted as the request. */
export function countedJobs(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ file, text }) => file.endsWith('.test.ts') && /\bstartServer\(/.test(text))
    .filter(({ text }) => countsLocks.test(text) && !withoutJobs.test(text))
    .map(
      ({ file }) => `${file}: count who waits for a lock without a pipeline, or settle it first`,
    );
}
