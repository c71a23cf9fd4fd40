// Writes PostgreSQL's standard error to the server's log.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { EmbeddedLog } from './types.ts';

const FORM = /^\[(?<backend>[^\]]*)\] \[(?<pid>\d+)\] (?<severity>[A-Z0-9]+): {2}(?<message>.*)$/;
const KEPT_LINES = 20;

/** A line of PostgreSQL's output with its log level. */
export type Entry = { level: keyof EmbeddedLog | 'dropped'; backend: string; message: string };

/**
 * Parses one line; undefined for a line that does not begin a message (a continuation, or output of the
 * linker).
 */
export function readLine(line: string): Entry | undefined {
  const groups = FORM.exec(line)?.groups;
  if (groups === undefined) return undefined;
  const { backend = '', severity = '', message = '' } = groups;
  return { level: levelOf(backend, severity), backend, message };
}

/** Logs every line of `stream`; returns a function that returns the last lines as text. */
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
    // The driver reports failed statements; their text may contain personal data.
    return severity === 'FATAL' ? 'warn' : 'dropped';
  }
  return severity === 'ERROR' || severity === 'FATAL' ? 'error' : 'warn';
}
