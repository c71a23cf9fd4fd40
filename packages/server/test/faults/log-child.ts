// A sequencer of the transparency log that kills itself at one of its steps: at which, is its argument.
import { readConfig } from '#config';
import { openDatabase } from '#database';
import type { Database } from '#database';
import { openLogFiles } from '#storage';
import type { LogFiles } from '#storage';
import { startLog } from '../../src/areas/log/service/key.ts';
import { integrate } from '../../src/areas/log/service/integrate.ts';
import type { PublishedState } from '../../src/areas/log/service/integrate.ts';
import { quiet } from '../throw-away-database.ts';

const last = Number(process.argv[2]);
const connection = JSON.parse(process.argv[3] ?? '') as object;
let steps = 0;

/** Ends this process as `kill -9` does, without anything that runs at the end of one. */
function step(): void {
  steps += 1;
  if (steps === last) process.kill(process.pid, 'SIGKILL');
}

const opened = openDatabase({ connection, readers: 1, writers: 1, onError: () => undefined });
const db: Database = {
  ...opened,
  transaction: async (work, options) => {
    const result = await opened.transaction(async (tx) => {
      const done = await work(tx);
      step();
      return done;
    }, options);
    step();
    return result;
  },
};
const config = readConfig();
const stored = await openLogFiles(config.mediaStore);
const files: LogFiles = {
  ...stored,
  write: async (path, bytes) => {
    await stored.write(path, bytes);
    step();
  },
  deletePartials: async (path) => {
    await stored.deletePartials(path);
    step();
  },
};
const services = { db, connection, config, log: quiet, files, now: () => new Date() };
const isHeld = async () => {
  step();
  return true;
};

await startLog(services);
const state: PublishedState = { published: undefined, pauses: new Map() };
while (await integrate(services, state, isHeld));
await opened[Symbol.asyncDispose]();
process.stdout.write(`${steps}\n`);
