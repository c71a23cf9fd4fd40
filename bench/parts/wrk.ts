// Sends GET requests with wrk, which uses a tenth of the processor time of a generator in Node.js: for
// requests so cheap that the generator would be most of the measurement.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Asked {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Returns the responses per second to the same request, repeated.
 * @throws Error when wrk is not installed, or any response was not 2xx
 */
export async function askedPerSecond({ url, token, connections, seconds }: Asked): Promise<number> {
  const header = `Authorization: Bearer ${token}`;
  const { stdout } = await promisify(execFile)('wrk', [
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    `--header=${header}`,
    url,
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('Install wrk first (Debian: apt install wrk).');
    throw error;
  });
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(perSecond > 0) || stdout.includes('Non-2xx') || stdout.includes('Socket errors'))
    throw new Error(`${url}:\n${stdout}`);
  return perSecond;
}
