// Carries what PostgreSQL says on its standard error into our log.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { EmbeddedLog } from './types.ts';

const FORM = /^\[(?<backend>[^\]]*)\] \[(?<pid>\d+)\] (?<severity>[A-Z0-9]+): {2}(?<message>.*)$/;
const KEPT_LINES = 20;

/** What a line is worth: an error of the server, a warning, news, or nothing. */
export type Entry = { level: keyof EmbeddedLog | 'dropped'; backend: string; message: string };

/** Reads one line; undefined for a line that PostgreSQL did not begin (its continuation, or a linker's). */
export function readLine(line: string): Entry | undefined {
  const groups = FORM.exec(line)?.groups;
  if (groups === undefined) return undefined;
  const { backend = '', severity = '', message = '' } = groups;
  return { level: levelOf(backend, severity), backend, message };
}

/** Logs every line of `stream`; the function it returns gives the last ones as text. */
export function followServerLog(stream: Readable, log: EmbeddedLog): () => string {
  const kept: string[] = [];
  let last: Entry = { level: 'info', backend: 'postmaster', message: '' };
  createInterface({ input: stream }).on('line', (line) => {
    const entry = readLine(line) ?? { ...last, message: line.trim() };
    last = entry;
    if (entry.level === 'dropped') return;
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    log[entry.level]({ postgres: entry.backend }, entry.message);
  });
  return () => kept.join('\n');
}

function levelOf(backend: string, severity: string): Entry['level'] {
  if (severity === 'PANIC') return 'error';
  if (severity === 'LOG') return 'info';
  if (backend === 'client backend') {
    // The failure of a statement is told to us by the driver; its text may hold people's values.
    return severity === 'FATAL' ? 'warn' : 'dropped';
  }
  return severity === 'ERROR' || severity === 'FATAL' ? 'error' : 'warn';
}
