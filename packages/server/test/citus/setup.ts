// Before all tests of test:citus: a distributed template database on the cluster of CITUS_URL, in place of the run's own.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '#database';
import { setup as setupUsual } from '../global-setup.ts';
import { quiet } from '../throw-away-database.ts';
import { checkPlans } from './check-plans.ts';
import { readSamples, recordVariable } from './record.ts';

const admin = join(import.meta.dirname, '../../src/admin/main.mjs');
/** Few, because each clone copies the files of all of them; plans differ from two on. */
const shards = '4';

interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

function serverOf(url: URL): Server {
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
}

async function ask(connection: pg.ClientConfig, ...texts: readonly string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Runs the operator's command, as an operator does. */
async function distribute(url: URL, database: string): Promise<void> {
  const place = new URL(url);
  place.pathname = `/${database}`;
  await promisify(execFile)(process.execPath, [admin, 'distribute', '--shards', shards], {
    env: { ...process.env, DATABASE_URL: place.href },
  });
}

/**
 * Makes a distributed database on the cluster, whose coordinator must store all shards itself: clones are made
 * of files. The tests that ask for a database get clones of it; those that start a PostgreSQL of their own do so.
 * `found` checks the plans of all statements that the tests sent.
 */
export async function setup(citusUrl: string) {
  const usual = await setupUsual();
  const url = new URL(citusUrl);
  const server = serverOf(url);
  const owner = { ...server, database: url.pathname.slice(1) || 'postgres' };
  const template = `citus_${randomBytes(6).toString('hex')}`;
  const connection = { ...server, database: template };
  const samples = await mkdtemp(join(tmpdir(), 'colophon-samples-'));
  await ask(owner, `create database ${template}`);
  await ask(
    connection,
    'create extension citus',
    `select citus_set_coordinator_host('${server.host}', ${server.port})`,
    `select citus_set_node_property('${server.host}', ${server.port}, 'shouldhaveshards', true)`,
  );
  await migrate(connection, quiet);
  await distribute(url, template);
  const leave = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`;
  await ask(owner, `alter database ${template} allow_connections false`, leave);
  return {
    env: {
      ...usual.env,
      COLOPHON_TEST_DATABASE: JSON.stringify({ ...owner, sharded: true }),
      COLOPHON_TEST_TEMPLATE: template,
      [recordVariable]: samples,
    },
    found: async (): Promise<string> => {
      await ask(owner, `alter database ${template} allow_connections true`);
      return checkPlans(connection, readSamples(samples));
    },
    dispose: async () => {
      await ask(owner, leave, `drop database if exists ${template} with (force)`);
      await rm(samples, { recursive: true, force: true });
      await usual.dispose();
    },
  };
}
