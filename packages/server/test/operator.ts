// The operator's commands for tests: in the process of the test, or as an operator runs them.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { runAdmin } from '../src/admin/run.ts';
import { databaseUrlOf } from './derived-tables.ts';
import type { TestServer } from './harness.ts';
import { adminProgram } from './programs.ts';

export interface Ran {
  readonly out: string;
  readonly complaint: string;
  readonly code: number | null;
}

function settingsOf(server: TestServer): Record<string, string> {
  const { dataDir, baseUrl } = server.services.config;
  return { DATABASE_URL: databaseUrlOf(server), DATA_DIR: dataDir, BASE_URL: baseUrl };
}

/** Runs a command beside the server, in this process. */
export function operate(server: TestServer, ...args: readonly string[]): Promise<Ran> {
  return operateWith(server, {}, ...args);
}

/** Runs a command beside the server, in this process, with further settings. */
export async function operateWith(
  server: TestServer,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ran> {
  const written = { out: '', complaint: '' };
  const code = await runAdmin(args, {
    settings: { ...settingsOf(server), ...settings },
    stdout: { write: (piece) => (written.out += piece) },
    stderr: { write: (piece) => (written.complaint += piece) },
  });
  return { ...written, code };
}

/** Starts a process that runs a command beside the server. */
export function startAdmin(server: TestServer, ...args: readonly string[]) {
  const child = spawn(process.execPath, [adminProgram, ...args], {
    env: { ...process.env, ...settingsOf(server) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const done = async (): Promise<Ran> => {
    const [out, complaint, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { out, complaint, code };
  };
  return { child, done };
}
