// Runs the load generator once and returns its figures.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * A request to repeat. In paths, headers and `body`, `{n}` becomes a number that no other request of this run
 * has, `{run}` a name of the run, `{made}` what the last response on this connection had at `made`, and the
 * names of `people` the values of one of them.
 */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Several are used in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** A file to send, between `body`, if there is one, and `bodyEnd`. Each time some bytes in its middle differ. */
  readonly bodyFile?: string | undefined;
  readonly bodyEnd?: string | undefined;
  /** The names that lead to the id of what was made, in the JSON of the response. */
  readonly made?: readonly string[] | undefined;
}

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
  /** Open each connection again after so many requests; never if left out. */
  readonly requestsPerConnection?: number | undefined;
  /** Register people, instead of all of the above. */
  readonly registers?: boolean;
  /** Send these requests one after the other on each connection, instead of all of the above. */
  readonly steps?: readonly RequestTemplate[] | undefined;
  /** With `steps`: values that `{name}` becomes; each operation takes the next of them. */
  readonly people?: readonly Readonly<Record<string, string>>[] | undefined;
}

/** Responses with a 2xx status per second; latencies in milliseconds. */
export interface LoadFigures {
  readonly perSecond: number;
  /** The total number of these responses. */
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
  /** How long the run took. */
  readonly seconds: number;
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
