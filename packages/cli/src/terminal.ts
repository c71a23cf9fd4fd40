// What the program knows of its surroundings: environment, folder, streams and the signal that ends it.
import { addAbortSignal } from 'node:stream';
import type { Readable, Writable } from 'node:stream';

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  readonly output: Writable & {
    readonly isTTY?: boolean | undefined;
    readonly columns?: number | undefined;
  };
  readonly errors: Writable & { readonly isTTY?: boolean | undefined };
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Returns the columns of a terminal. One without a size, as in a container or a recording, says that it has 0. */
export function columnsOf({ output: { columns = 0 } }: Terminal): number {
  return columns > 0 ? columns : 80;
}

/** Returns the whole standard input as bytes. Ctrl-C ends it even while nothing arrives. */
export async function readInput({ input, errors, signal }: Terminal): Promise<Buffer> {
  if (input.isTTY === true) errors.write('Type the text, then press Ctrl-D.\n');
  const parts: Buffer[] = [];
  for await (const part of addAbortSignal(signal, input))
    parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}
