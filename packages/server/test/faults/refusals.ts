// Starts that end with a refusal: the server as a process of its own, or many starts in one, and the sentence of each.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../compile-cache.ts';
import { until } from '../throw-away-database.ts';
import { runMark, startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

type Settings = Readonly<Record<string, string>>;

/** Asserts that `text` is one sentence for the operator that contains all of `parts`. */
export function assertSentence(text: string, parts: readonly string[]): void {
  assert.match(text, /^Colophon cannot start\. [^\n]+\n$/, `one line: ${text}`);
  assert.doesNotMatch(text, /\n\s+at /, 'no stack');
  for (const part of parts) assert.ok(text.includes(part), `${part} in: ${text}`);
}

/** DATA_DIR of starts that name none. */
export const unusedDataDir = (folder: string) => join(folder, 'unused');

/** Starts with these settings and resolves when the server has ended, or serves, or after half a minute. */
export async function startAndEnd(folder: string, settings: Settings): Promise<ServerProcess> {
  const server = startProcess(folder, {
    PORT: '0',
    DATA_DIR: unusedDataDir(folder),
    ...settings,
  });
  const serves = () => server.log.some((line) => line.msg?.includes('serves on'));
  let over = false;
  const ended = server.ended.finally(() => (over = true));
  await until('the server ends or serves', () => over || serves()).catch(() => undefined);
  if (!over) server.kill(serves() ? 'SIGTERM' : 'SIGKILL');
  await ended;
  return server;
}

/** Starts with these settings, expecting that it will not; answers what it said on standard error. */
export async function refusal(folder: string, settings: Settings): Promise<string> {
  const server = await startAndEnd(folder, settings);
  const { code } = await server.ended;
  assert.equal(code, 1, `exit code with ${JSON.stringify(settings)}: ${server.complaint()}`);
  return server.complaint();
}

export interface Refused {
  /** What main.mjs would say on standard error; empty for a start that was not refused. */
  readonly sentence: string;
  /** What it wrote to the log before that. */
  readonly log: string;
}

const manyStarts = fileURLToPath(import.meta.resolve('./many-starts.ts'));

/**
 * Starts with each of these settings, one after the other in one process, expecting that none will serve. A process
 * for each would take most of its time for loading the program.
 */
export async function refusalsOf(
  folder: string,
  all: readonly Settings[],
): Promise<readonly Refused[]> {
  const child = spawn(process.execPath, [manyStarts], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...runMark, ...compileCache },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const usual = { PORT: '0', DATA_DIR: unusedDataDir(folder) };
  child.stdin.end(JSON.stringify(all.map((settings) => ({ ...usual, ...settings }))));
  const [printed, complaint] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  assert.equal(complaint, '', 'nothing goes to standard error but the sentence');
  const found: Refused[] = [];
  let log = '';
  for (const line of printed.split('\n')) {
    const [, said] = /^{"refused":(".*")}$/.exec(line) ?? [];
    if (said === undefined) log += `${line}\n`;
    else {
      const refused = JSON.parse(said) as string;
      found.push({ sentence: refused && `Colophon cannot start. ${refused}\n`, log });
      log = '';
    }
  }
  assert.equal(found.length, all.length, `it ended early: ${printed}`);
  return found;
}
