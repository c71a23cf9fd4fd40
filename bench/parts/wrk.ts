// Sends GET requests with wrk, which uses a tenth of the processor time of a generator in Node.js: for
// requests so cheap that the generator would be most of the measurement.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

export interface AskedFigures {
  readonly requests: number;
  readonly perSecond: number;
}

/**
 * Sends the same request again and again and returns how many responses came.
 * @throws Error when wrk is not installed, or any response was neither 2xx nor 3xx
 */
export async function askAgain({
  url,
  headers,
  connections,
  seconds,
}: Asked): Promise<AskedFigures> {
  const { stdout } = await promisify(execFile)('wrk', [
    '--threads=1',
    '--timeout=20s',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
    url,
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('Install wrk first (Debian: apt install wrk).');
    throw error;
  });
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  if (!(perSecond > 0) || stdout.includes('Non-2xx') || stdout.includes('Socket errors'))
    throw new Error(`${url}:\n${stdout}`);
  return { requests, perSecond };
}
