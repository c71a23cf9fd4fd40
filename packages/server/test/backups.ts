// Backups for tests: the operator's commands on files, and empty databases to restore into.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { runAdmin } from '../src/admin/run.ts';
import { urlOf } from './derived-tables.ts';
import type { TestServer } from './harness.ts';
import { operate } from './operator.ts';
import type { Ran } from './operator.ts';

/** An empty database and an empty data folder. */
export interface EmptyTarget extends AsyncDisposable {
  readonly dataDir: string;
  readonly connection: pg.ClientConfig;
  readonly settings: Readonly<Record<string, string>>;
  /** Runs a command of the operator on it. */
  operate(...args: readonly string[]): Promise<Ran>;
  ask<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

export async function onServer<T>(
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

export async function operateWith(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ran> {
  const written = { out: '', complaint: '' };
  const code = await runAdmin(args, {
    settings,
    stdout: { write: (piece) => (written.out += piece) },
    stderr: { write: (piece) => (written.complaint += piece) },
  });
  return { ...written, code };
}

/** Makes a target beside the server: an empty database on the same PostgreSQL. */
export async function emptyTarget(
  server: TestServer,
  more: Readonly<Record<string, string>> = {},
): Promise<EmptyTarget> {
  const { connection: beside, config } = server.services;
  const database = `restored_${randomBytes(6).toString('hex')}`;
  await onServer(beside, (client) =>
    client.query(`create database ${database} template template0`),
  );
  const connection = { ...beside, database };
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-restored-'));
  const settings = {
    DATABASE_URL: urlOf(connection),
    DATA_DIR: dataDir,
    BASE_URL: config.baseUrl,
    DISK_RESERVE: '0',
    ...more,
  };
  return {
    dataDir,
    connection,
    settings,
    operate: (...args) => operateWith(settings, ...args),
    ask: (text, values = []) =>
      onServer(connection, async (client) => (await client.query(text, values)).rows),
    [Symbol.asyncDispose]: async () => {
      await onServer(beside, (client) => client.query(`drop database ${database} with (force)`));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A hash over all rows of every table, by table; without those that a backup leaves out. */
export async function tableHashes(connection: pg.ClientConfig): Promise<Record<string, string>> {
  return onServer(connection, async (client) => {
    await client.query("set timezone = 'UTC'; set extra_float_digits = 3");
    const { rows: tables } = await client.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname not in ('migrations', 'og_images', 'sessions', 'ceremonies', 'web_links', 'exports', 'export_parts', 'backup_standing')
      order by 1`);
    const hashes: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ hash: string | null }>(
        `select md5(string_agg(t::text, e'\\n' order by t::text collate "C")) as hash from ${name} t`,
      );
      hashes[name] = rows[0]?.hash ?? 'empty';
    }
    return hashes;
  });
}

/** Makes a backup in a moment in which nothing changes, such as counts that the pipeline adds up later. */
export async function backUpAtRest(server: TestServer, file: string) {
  const { connection } = server.services;
  for (;;) {
    const before = await tableHashes(connection);
    const { out, ...ran } = await operate(server, 'backup', file);
    assertRan({ out, ...ran });
    const hashes = await tableHashes(connection);
    if (isDeepStrictEqual(before, hashes)) return { out, hashes };
    await rm(file);
  }
}

export function assertRan({ code, complaint }: Ran): void {
  assert.equal(code, 0, complaint);
}

/**
 * Adds messages without a subscriber and returns their ids: two in jobs that wait, one of them in both, and
 * one in the outbox.
 */
export async function addWaiting(
  server: TestServer,
  articleId: string,
): Promise<readonly [string, string, string]> {
  const ids = [
    '01M7Z3KJBG7YHCVKQDVW6J2007',
    '01M7Z3KJBG7YHCVKQDVW6J3007',
    '01M7Z3KJBG7YHCVKQDVW6J4007',
  ] as const;
  const message = (id: string) => ({
    id,
    type: 'article.changed',
    bucket: 7,
    payload: { article_id: articleId },
    created_at: '2026-11-01T00:00:00.000Z',
  });
  await onServer(server.services.connection, async (client) => {
    const add = "select graphile_worker.add_job($1, $2::json, run_at => now() + interval '1 day')";
    const batch = [message(ids[0]), message(ids[1])];
    await client.query(add, ['article.changed:nobody', JSON.stringify(message(ids[0]))]);
    await client.query(add, ['article.changed:somebody', JSON.stringify(batch)]);
    await client.query(add, ['recurring:nothing', '{}']);
    await client.query(
      `insert into outbox (bucket, id, type, payload, created_at)
       values (7, $1, 'nobody.knows', '{"a": 1}', now())`,
      [ids[2]],
    );
  });
  return ids;
}
