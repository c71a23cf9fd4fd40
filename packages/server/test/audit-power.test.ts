// Whether the role of DATABASE_URL could change the audit log: the start reports it for every role.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '#config';
import { sql } from '#database';
import { appendAudit } from '#moderation';
import { openServices } from '#services';
import type { Services } from '#services';
import { cloneDatabase } from './database.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
after(() => rm(folder, { recursive: true, force: true }));
const page = await readFile(new URL('../../../docs/moderation.md', import.meta.url), 'utf8');
const [, statements = ''] = /```sql\n([^`]*)```/.exec(page) ?? [];

interface Started {
  readonly services: Services;
  readonly warnings: readonly string[];
}

/** Starts the services as a fresh role, which `make` sets up, and answers what the start warned of. */
async function startAs(
  make: (role: string) => string,
  look: (started: Started) => Promise<void>,
): Promise<void> {
  await using made = await cloneDatabase();
  const { host, port, database } = made.connection;
  const role = `role_${randomBytes(6).toString('hex')}`;
  const superuser = new pg.Client(made.connection);
  await superuser.connect();
  try {
    await superuser.query(make(role));
    const url = `postgres://${role}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, LIMITS: 'off' });
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) });
    await using services = await openServices(config, log);
    await look({ services, warnings });
  } finally {
    await superuser.query(`reassign owned by ${role} to current_user; drop owned by ${role}`);
    await superuser.query(`drop role ${role}`);
    await superuser.end();
  }
}

const asThePageSays = (role: string) =>
  statements.replaceAll('colophon_service', role).replace(" password '…'", '');

test('a role that the statements of docs/moderation.md made: no warning, and it adds to the log only', async () => {
  await startAs(asThePageSays, async ({ services: { db }, warnings }) => {
    assert.deepEqual(warnings, []);
    const entry = {
      actor: 'operator',
      action: 'trust',
      target_type: 'principal',
      target_id: 'x',
      details: {},
      created_at: new Date().toISOString(),
    };
    await db.transaction((tx) => appendAudit(tx, entry));
    for (const statement of [
      sql`update audit_log set actor = 'x' where bucket = 0`,
      sql`delete from audit_log where bucket = 0`,
      sql`truncate audit_log`,
      sql`alter table audit_log add column extra text`,
    ])
      await assert.rejects(
        db.transaction((tx) => tx.run(statement)),
        /permission denied|must be owner/,
      );
  });
});

for (const [what, make, expected] of [
  ['a superuser', (role: string) => `create role ${role} login superuser`, /is a superuser/],
  [
    'the owner of the log',
    (role: string) => `${asThePageSays(role)}; alter table audit_log owner to ${role}`,
    /owns the audit log/,
  ],
  [
    'a role that can change rows of it',
    (role: string) => `${asThePageSays(role)}; grant update on audit_log to ${role}`,
    /can change rows/,
  ],
] as const) {
  test(`${what} is served with one warning`, async () => {
    await startAs(make, async ({ warnings }) => {
      assert.equal(warnings.length, 1, warnings.join('\n'));
      assert.match(warnings[0] ?? '', expected);
    });
  });
}
