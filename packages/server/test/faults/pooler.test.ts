// PgBouncer in front of the database: session mode works with every setting, other modes are refused.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectionTo, migrate, openDatabase, sql } from '#database';
import { openDedicatedConnection } from '#outbox';
import { assertRan, operateWith } from '../backups.ts';
import { ownPostgres } from '../own-postgres.ts';
import type { OwnPostgres } from '../own-postgres.ts';
import { startPgBouncer, withoutPgBouncer } from '../pgbouncer.ts';
import type { TestPgBouncer } from '../pgbouncer.ts';
import { quiet, until } from '../throw-away-database.ts';
import { startProcess, unkept } from './server-process.ts';
import { ownPort } from '../own-port.ts';

const timeout = 120_000;
const ignoring = 'ignore_startup_parameters = options, extra_float_digits';

let postgres: OwnPostgres;
/** Refuses the startup parameter `options`, as it does by default. */
let strict: TestPgBouncer;
/** Ignores it, so settings are lost without an error. */
let lenient: TestPgBouncer;

before(async () => {
  if (withoutPgBouncer !== false) return;
  postgres = await ownPostgres('embedded');
  const data = join(postgres.folder, 'data');
  await postgres.run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N');
  await postgres.start(data);
  const port = Number(new URL(postgres.url).port);
  strict = await startPgBouncer(postgres.folder, port);
  lenient = await startPgBouncer(postgres.folder, port, ignoring);
  await migrate(await connectionTo(postgres.url), quiet);
});

after(async () => {
  await strict?.[Symbol.asyncDispose]();
  await lenient?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

interface Effective {
  readonly name: string;
  readonly setting: string;
}

const effective = sql<Effective>`
  select name, setting
  from pg_settings
  where name in ('TimeZone', 'DateStyle', 'statement_timeout', 'lock_timeout', 'jit',
    'idle_in_transaction_session_timeout', 'default_transaction_read_only', 'extra_float_digits')
  order by name collate "C"`;

/** The settings of a connection for reads, and of one for transactions. */
async function settingsThrough(url: string) {
  const connection = await connectionTo(url);
  await using db = openDatabase({ connection, readers: 1, writers: 1, onError: () => undefined });
  return {
    reads: await db.rows(effective),
    writes: await db.transaction((tx) => tx.rows(effective)),
  };
}

test(
  'connections have the same settings through PgBouncer as without it',
  { skip: withoutPgBouncer, timeout },
  async () => {
    const direct = await settingsThrough(postgres.url);
    const found = new Map(direct.reads.map(({ name, setting }) => [name, setting]));
    assert.equal(found.get('default_transaction_read_only'), 'on');
    assert.equal(found.get('statement_timeout'), '5000');
    assert.equal(found.get('TimeZone'), 'UTC');
    assert.deepEqual(await settingsThrough(strict.url('session')), direct, 'options refused');
    assert.deepEqual(await settingsThrough(lenient.url('session')), direct, 'options ignored');
  },
);

test(
  'notifications arrive through PgBouncer in session mode',
  { skip: withoutPgBouncer, timeout },
  async () => {
    const connection = await connectionTo(strict.url('session'));
    const heard = Promise.withResolvers<string>();
    await using link = openDedicatedConnection({
      connection,
      log: quiet,
      opened: async (ask) => void (await ask(sql`listen a_test`)),
      notified: (payload) => {
        if (payload !== undefined) heard.resolve(payload);
        else void link.alone((ask) => ask(sql`select pg_notify('a_test', 'said')`));
      },
    });
    assert.equal(await heard.promise, 'said');
  },
);

for (const mode of ['transaction', 'statement'] as const) {
  test(
    `PgBouncer in ${mode} mode is refused with what to set`,
    { skip: withoutPgBouncer, timeout },
    async () => {
      for (const pooler of [strict, lenient]) {
        await assert.rejects(connectionTo(pooler.url(mode)), /set pool_mode=session/);
      }
      // Busy server connections of other clients must not hide it.
      await Promise.all(
        [1, 2, 3].map(() =>
          assert.rejects(connectionTo(strict.url(mode)), /set pool_mode=session/),
        ),
      );
    },
  );
}

test(
  'a server and an operator command work through PgBouncer in session mode',
  { skip: withoutPgBouncer, timeout },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-pooled-'));
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const port = String(await ownPort('::1'));
    const settings = { DATABASE_URL: strict.url('session'), DATA_DIR: dataDir, PORT: port };
    const server = startProcess(dataDir, { ...settings, LIMITS: 'off' });
    cleanup.defer(async () => {
      server.kill('SIGTERM');
      await server.ended;
    });
    const baseUrl = `http://localhost:${port}`;
    await server.ready(baseUrl);
    const ask = async (method: string, path: string, body?: object, token?: string) => {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...unkept,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as Readonly<Record<string, string>>;
      assert.ok(response.ok, JSON.stringify(answer));
      return answer;
    };
    const { token = '' } = await ask('POST', '/v1/humans', { username: 'an-author' });
    const text = { title: 'A title', content: 'Some words.', language: 'en' };
    const { id = '' } = await ask('POST', '/v1/articles', text, token);
    await ask('POST', `/v1/articles/${id}/publish`, {}, token);
    // The pipeline carried the article to the search, through LISTEN and the queue's own connections.
    await until('the article is found', async () => {
      const found: { readonly items?: unknown } = await ask('GET', '/v1/search?q=words');
      return Array.isArray(found.items) && found.items.length === 1;
    });
    assertRan(await operateWith(settings, 'doctor'));
  },
);
