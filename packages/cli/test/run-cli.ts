// Runs the program inside the test: with a home folder of its own, and streams that are kept.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '../src/program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Standard input itself, in place of `input`. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** The number of columns of the terminal; left out, the output is piped. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Standard error is a terminal. */
  readonly errorsAreShown?: true;
}

export interface Home extends AsyncDisposable {
  /** The folder that the program runs in. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[] | string, options?: RunOptions): Promise<Ran>;
  /** The same, for a command that must succeed; returns its output. */
  out(args: readonly string[] | string, options?: RunOptions): Promise<string>;
  /** The same with --json, parsed. */
  // The shape is checked where it is used; tests look at members by name.
  // oxlint-disable-next-line typescript/no-explicit-any
  json(args: readonly string[] | string, options?: RunOptions): Promise<any>;
}

function collector(columns: number | undefined) {
  const parts: Buffer[] = [];
  const stream = new PassThrough();
  stream.on('data', (part: Buffer) => parts.push(part));
  const shown = Object.assign(stream, columns === undefined ? {} : { isTTY: true, columns });
  return { stream: shown, text: () => Buffer.concat(parts).toString() };
}

/** Words of a command line without quotes. */
const wordsOf = (args: readonly string[] | string) =>
  typeof args === 'string' ? args.split(' ') : args;

/** Opens an empty home; it is removed at the end. */
export async function openHome(env: Readonly<Record<string, string>> = {}): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-cli-'));
  const own = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env };
  const run: Home['run'] = async (args, options = {}) => {
    const output = collector(options.columns);
    const errors = collector(options.errorsAreShown ? 80 : undefined);
    const code = await runProgram(wordsOf(args), {
      env: { ...own, ...options.env },
      folder,
      input:
        options.stdin ??
        Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
      output: output.stream,
      errors: errors.stream,
      signal: options.signal ?? new AbortController().signal,
    });
    await new Promise(setImmediate);
    return { code, out: output.text(), err: errors.text() };
  };
  const out: Home['out'] = async (args, options) => {
    const { code, out: text, err } = await run(args, options);
    if (code !== 0) throw new Error(`colophon ${wordsOf(args).join(' ')}: ${code}\n${err}`);
    return text;
  };
  return {
    folder,
    env: own,
    run,
    out,
    json: async (args, options) => JSON.parse(await out([...wordsOf(args), '--json'], options)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
