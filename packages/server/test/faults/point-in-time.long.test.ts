// Point-in-time recovery of the database of DATABASE_URL, as docs/running.md describes it.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { operateWith } from '../backups.ts';
import { ownPostgres, withoutPostgres } from '../own-postgres.ts';
import { ledgerCount } from '../ledgers.ts';
import { until } from '../throw-away-database.ts';
import { startProcess, unkept } from './server-process.ts';
import { ownPort } from '../own-port.ts';

interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

function askerOf(baseUrl: string) {
  return async (method: string, path: string, body?: object, token?: string): Promise<Told> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...unkept,
        'idempotency-key': crypto.randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Told['body'] };
  };
}

test(
  'the database returns to a moment, and what was erased after it stays erased',
  { skip: withoutPostgres, timeout: 900_000 },
  async () => {
    await using postgres = await ownPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-pitr-'));
    const port = String(await ownPort('::1'));
    const baseUrl = `http://localhost:${port}`;
    const settings = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, PORT: port, LIMITS: 'off' };
    const ask = askerOf(baseUrl);
    const { folder } = postgres;
    const [first, base, second] = ['first', 'base', 'second'].map((name) => join(folder, name));
    assert.ok(first && base && second);

    await postgres.run('initdb', '-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8');
    const archive = `archive_command = 'test ! -f ${folder}/wal/%f && cp %p ${folder}/wal/%f'`;
    await appendFile(
      join(first, 'postgresql.conf'),
      `\nwal_level = replica\narchive_mode = on\narchive_timeout = 60\n${archive}\n`,
    );
    await postgres.start(first);
    await using processes = new AsyncDisposableStack();
    processes.defer(() => rm(dataDir, { recursive: true, force: true }));
    const starting = () => {
      const started = startProcess(dataDir, settings);
      processes.defer(async () => {
        started.kill('SIGKILL');
        await started.ended;
      });
      return started;
    };
    const server = starting();
    await server.ready(baseUrl);
    const { body: human } = await ask('POST', '/v1/humans', { username: 'an-author' });
    const token = human['token'] ?? '';
    const publish = async (): Promise<string> => {
      const body = { title: 'A title', content: `Text ${crypto.randomUUID()}.`, language: 'en' };
      const { body: made } = await ask('POST', '/v1/articles', body, token);
      const path = `/v1/articles/${made['id']}/publish`;
      assert.equal((await ask('POST', path, {}, token)).status, 200);
      return made['id'] ?? '';
    };
    const erased = await publish();
    await postgres.run('pg_basebackup', '-d', postgres.url, '-D', base, '-c', 'fast', '-X', 'none');
    await postgres.run('pg_verifybackup', '-n', base);
    const before = await publish();

    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query<{ at: string }>('select now()::text as at');
    const later = await publish();
    const erasing = { confirm: 'erase' };
    assert.equal((await ask('POST', `/v1/articles/${erased}/erase`, erasing, token)).status, 200);
    assert.equal(await ledgerCount(join(dataDir, 'media'), erased), 1);
    server.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
    const { rows: walRows } = await client.query<{ file: string }>(
      'select pg_walfile_name(pg_switch_wal()) as file',
    );
    await until('the log is archived', async () => {
      const { rows: seen } = await client.query<{ done: boolean }>(
        'select last_archived_wal >= $1 as done from pg_stat_archiver',
        [walRows[0]?.file],
      );
      return seen[0]?.done === true;
    });
    await client.end();
    await postgres.stop(first, 'immediate');

    await postgres.copy(base, second);
    await appendFile(
      join(second, 'postgresql.auto.conf'),
      [
        `restore_command = 'cp ${folder}/wal/%f %p'`,
        `recovery_target_time = '${rows[0]?.at}'`,
        `recovery_target_action = 'promote'`,
        `archive_mode = off`,
        '',
      ].join('\n'),
    );
    await writeFile(join(second, 'recovery.signal'), '');
    await postgres.start(second);

    const restored = starting();
    await restored.ready(baseUrl);
    assert.equal((await ask('GET', `/v1/articles/${before}`)).status, 200);
    assert.equal((await ask('GET', `/v1/articles/${later}`)).status, 404);
    assert.equal((await ask('GET', `/v1/articles/${erased}`)).status, 410);
    assert.equal((await ask('GET', '/v1/me', undefined, token)).status, 200);
    const examined = await operateWith({ ...settings, BASE_URL: baseUrl }, 'doctor');
    assert.equal(examined.code, 0, examined.out);
  },
);
