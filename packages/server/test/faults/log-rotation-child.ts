// Replaces the key of the transparency log, or ends that, and kills itself at one of its steps: at which, is its argument.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const last = Number(process.argv[2]);
const action = process.argv[3];
let steps = 0;

/** Ends this process as `kill -9` does, without anything that runs at the end of one. */
function step(): void {
  steps += 1;
  if (steps === last) process.kill(process.pid, 'SIGKILL');
}

/** Counts what changes files, before and after. */
for (const name of ['open', 'rename', 'rm'] as const) {
  const original = fs[name] as (...args: readonly unknown[]) => Promise<unknown>;
  Object.assign(fs, {
    [name]: async (...args: readonly unknown[]) => {
      step();
      const result = await original(...args);
      step();
      return result;
    },
  });
}
syncBuiltinESMExports();

const { readConfig } = await import('#config');
const { openDatabase } = await import('#database');
const { endRotation, rotateKey } = await import('#log');
const connection = JSON.parse(process.argv[4] ?? '') as object;
const opened = openDatabase({ connection, readers: 1, writers: 1, onError: () => undefined });
const db: typeof opened = {
  ...opened,
  transaction: async (work, options) => {
    step();
    const result = await opened.transaction(async (tx) => {
      const done = await work(tx);
      step();
      return done;
    }, options);
    step();
    return result;
  },
};
const rotating = { db, connection, config: readConfig(), now: () => new Date() };
await (action === 'end' ? endRotation(rotating) : rotateKey(rotating)).catch((error: Error) => {
  // A run that was killed after its last change has nothing left to do.
  if (!error.message.includes('being replaced already')) throw error;
});
await opened[Symbol.asyncDispose]();
process.stdout.write(`${steps}\n`);
