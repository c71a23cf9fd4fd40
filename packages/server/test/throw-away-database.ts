// A PostgreSQL of its own for one test file, with a migrated database that is cloned for each test.
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../src/database/index.ts';
import type { Database } from '../src/database/index.ts';
import { startEmbedded } from '../src/database/embedded/index.ts';
import { makeFastFolder } from './fast-folder.ts';
import { copyPreparedFolder } from './prepared-folder.ts';

const silent = () => undefined;
export const quiet = { debug: silent, info: silent, warn: silent, error: silent };

export interface Clone extends AsyncDisposable {
  readonly connection: pg.ClientConfig;
  readonly db: Database;
  /** One statement as the database's owner, past all rules of the code. */
  ask<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

export interface ThrowAway extends AsyncDisposable {
  /** To a database that is empty. */
  readonly connection: pg.ClientConfig;
  clone(migrated?: boolean): Promise<Clone>;
  /** Stops the server, does `meanwhile`, and starts it again on the same rows. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
}

/** What `startServer` has too: statements of a machine that is busy are not refused. */
const patience = 12;

/** What a test asks a database with. */
export function openClone(connection: pg.ClientConfig): Clone {
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on('error', silent);
  const db = openDatabase({ connection, readers: 1, writers: 6, patience, onError: silent });
  return {
    connection,
    db,
    ask: async (text, values = []) => (await pool.query(text, values)).rows,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([pool.end(), db[Symbol.asyncDispose]()]);
    },
  };
}

async function cloneOf(server: pg.ClientConfig, name: string, template: string): Promise<Clone> {
  const owner = new pg.Client(server);
  await owner.connect();
  await owner.query(`create database ${name} template ${template}`);
  await owner.end();
  return openClone({ ...server, database: name });
}

/** Starts the server in memory where the machine has enough, and removes it at the end. */
export async function throwAwayDatabase(): Promise<ThrowAway> {
  const folder = await makeFastFolder();
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  await copyPreparedFolder(dataDir);
  const start = () => startEmbedded({ dataDir, log: quiet });
  let server = await start();
  const { database: template } = server.connection;
  const connection = { ...server.connection, database: 'postgres' };
  let clones = 0;
  return {
    connection,
    clone: (migrated = true) =>
      cloneOf(connection, `clone_${(clones += 1)}`, migrated ? template : 'template1'),
    restart: async (meanwhile) => {
      await server.stop();
      await meanwhile();
      server = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Longest pause between two looks. */
const pauseMsMax = 50;

const usualLimitMs = 300_000;

/**
 * Asks until the condition is true; fails after `limitMs`, which only guards against waiting for ever, and so is
 * never shorter than usual. Asks often at first, then less and less: what takes a second is slowed down by asking.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  limitMs = usualLimitMs,
): Promise<void> {
  if (limitMs < usualLimitMs) throw new Error('A shorter limit would fail on a slow machine.');
  const began = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - began;
    if (waited > limitMs) throw new Error(`Waited ${limitMs} ms until ${what}.`);
    await wait(Math.min(pauseMsMax, 2 + waited / 50));
  }
}
