// One of several hosts: runs the sequencer of the transparency log whenever it has the lease, until it is killed.
import { readConfig } from '#config';
import { openDatabase } from '#database';
import { startLog, startLogging } from '#log';
import { openLogFiles } from '#storage';
import { quiet } from '../throw-away-database.ts';

const connection = JSON.parse(process.argv[2] ?? '') as object;
const db = openDatabase({ connection, readers: 1, writers: 2, onError: () => undefined });
const config = readConfig();
const files = await openLogFiles(config.mediaStore);
const services = { db, connection, config, log: quiet, files, now: () => new Date() };
await startLog(services);
const logging = startLogging(services);
// Leaves of other processes are found by looking; often, so that a kill meets every step.
setInterval(() => logging.wake(), 20);
