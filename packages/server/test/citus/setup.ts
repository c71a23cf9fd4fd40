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
import { nodesOf, workersVariable } from './workers.ts';
import type { ClusterServer, Node } from './workers.ts';

const admin = join(import.meta.dirname, '../../src/admin/main.mjs');
/** Few, because each clone copies the files of all of them; plans differ from two on. */
const shards = '4';

function serverOf(url: URL): ClusterServer {
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
}

async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function ask(connection: pg.ClientConfig, ...texts: readonly string[]): Promise<void> {
  return withClient(connection, async (client) => {
    for (const text of texts) await client.query(text);
  });
}

/** Runs the operator's command, as an operator does. */
async function distribute(url: URL, database: string): Promise<void> {
  const place = new URL(url);
  place.pathname = `/${database}`;
  await promisify(execFile)(process.execPath, [admin, 'distribute', '--shards', shards], {
    env: { ...process.env, DATABASE_URL: place.href },
  });
}

/** The connections of an owner to a database on each server, the coordinator first. */
const onEach = (nodes: readonly Node[], database: string) =>
  nodes.map((node) => ({ ...node, database }));

/** Makes the database on each server, and tells the coordinator of them. */
async function makeCluster(nodes: readonly Node[], owner: string, name: string): Promise<void> {
  for (const place of onEach(nodes, owner)) await ask(place, `create database ${name}`);
  for (const place of onEach(nodes, name)) await ask(place, 'create extension citus');
  const [coordinator] = onEach(nodes, name);
  const place = (node: Node | undefined) => `'${node?.host}', ${node?.port}`;
  const [first, ...workers] = nodes;
  await ask(
    coordinator ?? {},
    `select citus_set_coordinator_host(${place(first)})`,
    ...workers.map((node) => `select citus_add_node(${place(node)})`),
    ...nodes.map(
      (node) =>
        `select citus_set_node_property(${place(node)}, 'shouldhaveshards', ${String(node.stores)})`,
    ),
  );
}

/** No server may be connected to the template while it is cloned. */
async function close(nodes: readonly Node[], owner: string, name: string): Promise<void> {
  for (const place of onEach(nodes, owner))
    await ask(place, `alter database ${name} allow_connections false`, leave(name));
}

async function open(nodes: readonly Node[], owner: string, name: string): Promise<void> {
  for (const place of onEach(nodes, owner))
    await ask(place, `alter database ${name} allow_connections true`);
}

const leave = (name: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;

/**
 * Makes a distributed database on the cluster, with the servers that the database of CITUS_URL knows and the
 * shards where they are to be. The tests that ask for a database get clones of it, made of the files of each
 * server; those that start a PostgreSQL of their own do so. `found` checks the plans of all statements that the
 * tests sent.
 */
export async function setup(citusUrl: string) {
  const usual = await setupUsual();
  const url = new URL(citusUrl);
  const server = serverOf(url);
  const owner = url.pathname.slice(1) || 'postgres';
  const nodes = await withClient({ ...server, database: owner }, (client) =>
    nodesOf(client, server),
  );
  const template = `citus_${randomBytes(6).toString('hex')}`;
  const connection = { ...server, database: template };
  const samples = await mkdtemp(join(tmpdir(), 'colophon-samples-'));
  await makeCluster(nodes, owner, template);
  await migrate(connection, quiet);
  await distribute(url, template);
  await close(nodes, owner, template);
  const [, ...workers] = onEach(nodes, owner);
  return {
    env: {
      ...usual.env,
      COLOPHON_TEST_DATABASE: JSON.stringify({ ...server, database: owner, sharded: true }),
      COLOPHON_TEST_TEMPLATE: template,
      [workersVariable]: JSON.stringify(workers),
      [recordVariable]: samples,
    },
    found: async (): Promise<string> => {
      await open(nodes, owner, template);
      return checkPlans(connection, readSamples(samples));
    },
    dispose: async () => {
      for (const place of onEach(nodes, owner))
        await ask(place, leave(template), `drop database if exists ${template} with (force)`);
      await rm(samples, { recursive: true, force: true });
      await usual.dispose();
    },
  };
}
