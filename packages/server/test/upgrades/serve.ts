// A server process on a database that a test brings.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#http';
import { urlOf } from '../derived-tables.ts';
import { startProcess } from '../faults/server-process.ts';
import type { LogLine } from '../faults/server-process.ts';
import type { Clone } from '../throw-away-database.ts';

/** Every dump was recorded with it, and signatures contain it. */
export const baseUrl = 'http://colophon.test';

export interface Served extends AsyncDisposable {
  readonly address: string;
  readonly log: readonly LogLine[];
}

/** Starts today's server, or another program, and waits until it is ready. */
export async function serve({ connection }: Clone, program?: string): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-upgrade-'));
  const port = await freePort('127.0.0.1');
  const settings = {
    DATABASE_URL: urlOf(connection),
    DATA_DIR: folder,
    PORT: String(port),
    BASE_URL: baseUrl,
    LIMITS: 'off',
  };
  const server = startProcess(folder, settings, program);
  const address = `http://127.0.0.1:${port}`;
  await server.ready(address).catch((error: Error) => {
    throw new Error(`${error.message} ${server.complaint()}`, { cause: error });
  });
  return {
    address,
    log: server.log,
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM');
      await server.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
