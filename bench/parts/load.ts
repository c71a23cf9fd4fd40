// Runs the load generator once and returns its figures.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** The token of the reader. */
  readonly token?: string | undefined;
  /** Tokens of the authors, used in turn. */
  readonly authors?: readonly string[] | undefined;
  /** GET these paths in turn; if left out, create articles. */
  readonly paths?: readonly string[] | undefined;
  /** Comment on these articles in turn, instead of creating articles. */
  readonly comments?: readonly string[] | undefined;
  /** The text of created articles and comments. */
  readonly textFile?: string | undefined;
  /** The language sent with created articles; if left out, the server detects it. */
  readonly language?: string | undefined;
  /** Publish each article after creating it. */
  readonly publishes?: boolean;
  /** Register people, instead of all of the above. */
  readonly registers?: boolean;
}

/** Responses with a 2xx status per second; latencies in milliseconds. */
export interface LoadFigures {
  readonly perSecond: number;
  /** The total number of these responses. */
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
  readonly failures: number;
}

/** The time that the generator may take to start, stop and sum up, in addition to its run. */
const graceMs = 20_000;

/** @throws Error when any request failed: figures that include failures are meaningless */
export async function runLoad(load: Load): Promise<LoadFigures> {
  const generator = join(import.meta.dirname, 'generator.ts');
  const timeout = load.seconds * 1000 + graceMs;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [generator, JSON.stringify(load)],
    { timeout },
  );
  const figures = JSON.parse(stdout) as LoadFigures;
  if (figures.failures > 0) throw new Error(`${figures.failures} requests to ${load.url} failed.`);
  return figures;
}
