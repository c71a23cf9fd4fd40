// Starts that end with a refusal: the server as a process of its own, and the one sentence that it says.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { until } from '../throw-away-database.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

type Settings = Readonly<Record<string, string>>;

/** Asserts that `text` is one sentence for the operator that holds all of `parts`. */
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
