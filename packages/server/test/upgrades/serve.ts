// A server process on a database that a test brings.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProcess } from '../faults/server-process.ts';
import type { LogLine } from '../faults/server-process.ts';
import { ownPort } from '../own-port.ts';

/** Every dump was recorded with it, and signatures contain it. */
export const baseUrl = 'http://colophon.test';

export interface Served extends AsyncDisposable {
  readonly address: string;
  readonly log: readonly LogLine[];
}

export interface ServeOptions {
  /** Instead of today's server. */
  readonly program?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** DATA_DIR. It stays at the end; without it, a temporary folder is used. */
  readonly folder?: string;
  /** What DATA_DIR contains at the start: base64 by path. */
  readonly files?: Readonly<Record<string, string>>;
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, Buffer.from(bytes, 'base64'), { mode: 0o600 });
  }
}

/** Starts today's server, or another program, and waits until it is ready. */
export async function serve(databaseUrl: string, options: ServeOptions = {}): Promise<Served> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'colophon-upgrade-')));
  await writeFiles(folder, options.files ?? {});
  const port = await ownPort();
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: String(port),
    BASE_URL: baseUrl,
    LIMITS: 'off',
    ...options.settings,
  };
  const server = startProcess(folder, settings, options.program);
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
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
