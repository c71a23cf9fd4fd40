// Runs the load generator once and answers its figures.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Who reads. */
  readonly token?: string | undefined;
  /** Tokens of those who create, in turn. */
  readonly authors?: readonly string[] | undefined;
  /** GET these in turn; without them articles are created. */
  readonly paths?: readonly string[] | undefined;
  /** Comment on these articles in turn, instead of creating any. */
  readonly comments?: readonly string[] | undefined;
  /** The text of created articles and comments. */
  readonly textFile?: string | undefined;
  /** Language sent with created articles; without it the server finds out by itself. */
  readonly language?: string | undefined;
  /** Publish each article that was created. */
  readonly publishes?: boolean;
  /** Register people, in place of all that. */
  readonly registers?: boolean;
}

/** Answers with a 2xx status per second; latencies in milliseconds. */
export interface LoadFigures {
  readonly perSecond: number;
  /** Those answers, all together. */
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
  readonly failures: number;
}

/** The generator starts, ends and sums up within this time beside its run. */
const graceMs = 20_000;

/** @throws Error when any request failed: a figure with failures in it says nothing */
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
