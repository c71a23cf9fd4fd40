// What a server of the comparison holds while it runs, given back at the end or when its set-up fails.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Child } from '../parts/child.ts';
import type { BenchDatabase } from '../parts/database.ts';
import { postmasterPid } from '../parts/processor-time.ts';

/** Makes a folder that is removed with the stack. */
export async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Restartable extends AsyncDisposable {
  readonly url: string;
  readonly roots: () => readonly number[];
  readonly restart: () => Promise<number>;
}

/**
 * Runs a program that can be ended and started again with the same address, and its database before it, so that
 * neither still holds in memory what the load has read.
 */
export async function restartable(
  start: () => Promise<Child>,
  database?: BenchDatabase,
): Promise<Restartable> {
  const databaseRoots = async () => (database === undefined ? [] : [await postmasterPid(database)]);
  let child = await start();
  let roots = [child.pid, ...(await databaseRoots())];
  return {
    url: child.url,
    roots: () => roots,
    restart: async () => {
      await child[Symbol.asyncDispose]();
      const databaseSeconds = (await database?.restart()) ?? 0;
      child = await start();
      roots = [child.pid, ...(await databaseRoots())];
      return databaseSeconds + child.startSeconds;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Takes what the stack holds out of it; it is given back when the result is. */
export function takeOver(stack: AsyncDisposableStack): AsyncDisposable {
  const held = stack.move();
  return { [Symbol.asyncDispose]: () => held.disposeAsync() };
}
