// No secret is ever written down: not in a row, a file of the database, a line of the log or an error.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { compileCache } from './compile-cache.ts';
import { makePlace } from './faults/server-process.ts';
import type { Place, ServerProcess } from './faults/server-process.ts';
import { adminProgram } from './programs.ts';
import {
  issue,
  issueShortLived,
  leaveContacts,
  letSlip,
  pasteIntoTexts,
  register,
  sendBadTokens,
  useAsKey,
  useNonces,
  useTokens,
  useToTheEnd,
} from './secrets/journey.ts';
import type { Member } from './secrets/journey.ts';
import { issueOnPage, issuingForm } from './secrets/pages.ts';
import { hasToken, linesWith, secretPart, spellings, startWitness } from './secrets/witness.ts';
import type { Witness } from './secrets/witness.ts';
import { until } from './throw-away-database.ts';

let place: Place;
let server: ServerProcess;
let client: pg.Client;
let witness: Witness;
let member: Member;
let shortLived: string;

before(async () => {
  place = await makePlace();
  server = place.start({ LOG_LEVEL: 'debug', LIMITS: 'default' });
  await server.ready(place.baseUrl);
  client = await place.connect();
  witness = startWitness(place.baseUrl);
  member = await register(witness);
  shortLived = await issueShortLived(witness, member);
});

after(async () => {
  await client.end();
  await place[Symbol.asyncDispose]();
});

test('the journey: tokens and nonces as they are meant to be used', async () => {
  await useTokens(witness, member);
  await useNonces(witness, await register(witness));
  await sendBadTokens(witness, member);
});

test('the journey: tokens that are issued on a page', async () => {
  await issueOnPage(witness, place.baseUrl);
});

test('the journey: the operator’s token', async () => {
  const child = spawn(
    process.execPath,
    [adminProgram, 'grant', member.username, 'admin:moderate'],
    {
      cwd: place.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        ...compileCache,
        DATA_DIR: place.dataDir,
        LOG_LEVEL: 'debug',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const { token } = JSON.parse(out) as { token: string };
  assert.ok(!hasToken(complaint), complaint);
  witness.keepToken(token);
  assert.equal((await witness.ask('GET', '/v1/me', { token })).status, 200);
});

test('the journey: how reporters can be reached', async () => {
  await leaveContacts(witness, member);
});

test('422 own-token: a token inside what is published', async () => {
  await pasteIntoTexts(witness, member);
});

test('the journey: tokens in addresses, headers and messages that cannot be read', async () => {
  await letSlip(witness, member);
});

test('400 invalid-request: a token as an Idempotency-Key, which is kept', async () => {
  const answer = await useAsKey(witness, member);
  assert.equal(answer.status, 400, answer.text);
  assert.match(String(answer.body['detail']), /Idempotency-Key/);
});

test('the journey: a token that has ended', async () => {
  await useToTheEnd(witness, shortLived);
});

/** Connections end in the middle of requests that carry secrets, until the log reports it. */
async function cutConnections(): Promise<void> {
  const told = () =>
    server.log.some(({ msg }) => msg === 'A request was answered with 503 unavailable.');
  await until('the log reports a cut connection', async () => {
    const body = {
      username: `cut-${crypto.randomUUID().slice(9, 23)}z`,
      email: witness.freshEmail(),
    };
    const sent = [
      witness.ask('POST', '/v1/humans', { body }),
      ...Array.from({ length: 8 }, () => witness.ask('GET', '/v1/me', { token: member.token })),
    ];
    await client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
    await Promise.all(sent);
    return told();
  });
}

test('the journey: connections to the database that break under requests', async () => {
  await cutConnections();
});

test('the journey: what the database refuses for an unforeseen reason', async () => {
  await client.query(`
    alter table principals add constraint principals_trap_check check (email not like 'trap%');
    alter table tokens add constraint tokens_trap_check check (name <> 'trap')`);
  const { ask } = witness;
  const { id, token } = member;
  const body = { username: 'trapped-person', email: witness.freshEmail('trap') };
  const trapped = { token, key: crypto.randomUUID(), body: { principal_id: id, name: 'trap' } };
  const failed = [
    await ask('POST', '/v1/humans', { body }),
    await ask('POST', '/v1/tokens', trapped),
  ];
  await client.query(`
    alter table principals drop constraint principals_trap_check;
    alter table tokens drop constraint tokens_trap_check;
    alter table tokens rename column scopes to lost`);
  failed.push(await ask('GET', `/v1/articles/${token}`, { token }));
  await client.query('alter table tokens rename column lost to scopes');
  assert.deepEqual(
    failed.map(({ status }) => status),
    [500, 500, 500],
  );
  const told = () =>
    server.log.filter(({ msg }) => msg === 'A request failed with an internal error.').length;
  await until('the log reports all of them', () => told() === failed.length);
});

test('no answer contains a token, but the one that shows it', () => {
  const showing = ['POST /v1/humans', 'POST /v1/tokens', `POST ${issuingForm}`];
  const shows = ({ to, status }: { to: string; status: number }) =>
    status === 201 && showing.includes(to);
  const others = witness.answers.filter((answer) => !shows(answer));
  assert.ok(others.length > 100);
  const texts = others.map(({ text: answer }) => answer);
  assert.deepEqual(texts.filter(hasToken), []);
  assert.deepEqual(linesWith(texts, [...witness.tokens].map(secretPart)), []);
});

test('no answer contains an e-mail address', () => {
  const texts = witness.answers.map(({ to, text: answer }) => `${to} ${answer}`);
  assert.deepEqual(
    linesWith(texts, [...witness.emails]).filter((one) => !hasToken(one)),
    [],
  );
});

async function tables(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm')
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by name`);
  return rows.map(({ name }) => name);
}

/** The columns that are there for addresses. */
const addressed: Readonly<Record<string, string>> = {
  'public.principals': 'email',
  'public.reports': 'reporter_contact',
};

/** Every row of every table as text, without those columns. */
async function dump(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const table of await tables()) {
    const column = addressed[table];
    const shown = column === undefined ? 't' : `to_jsonb(t) - '${column}'`;
    const { rows } = await client.query<{ line: string }>(
      `select (${shown})::text as line from ${table} t`,
    );
    lines.push(...rows.map(({ line }) => `${table} ${line}`));
  }
  return lines;
}

test('no row of any table contains a token, a nonce, or an address outside the columns for them', async (t) => {
  const { token } = await issue(witness, member);
  const lines = await dump();
  const filled = new Set(lines.map((line) => line.split(' ')[0]));
  for (const table of ['principals', 'tokens', 'key_nonces', 'idempotency_keys', 'audit_log'])
    assert.ok(filled.has(`public.${table}`), `${table} has rows`);
  assert.ok(
    lines.some((line) => line.includes(token.slice(0, 12))),
    'prefixes are there',
  );
  const words = [...spellings(witness), ...witness.emails];
  assert.deepEqual(linesWith(lines, words), []);
  assert.deepEqual(lines.filter(hasToken), []);
  t.diagnostic(
    `${witness.tokens.size} tokens, ${witness.nonces.size} nonces and ${witness.emails.size} addresses; ${witness.answers.length} answers, ${lines.length} rows`,
  );
});

test('no line of the log contains a token, a nonce or an address, at the level debug', (t) => {
  const lines = [...server.log.map((line) => JSON.stringify(line)), server.complaint()];
  assert.ok(
    server.log.some(({ level }) => level === 20),
    'the level is debug',
  );
  assert.deepEqual(linesWith(lines, [...spellings(witness), ...witness.emails]), []);
  assert.deepEqual(lines.filter(hasToken), []);
  t.diagnostic(`${lines.length} lines`);
});

test('no file of the database contains a token or a nonce, nor does its log of changes', async (t) => {
  await client.end();
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  const words = spellings(witness).map((word) => Buffer.from(word));
  const entries = await readdir(place.folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((one) => join(one.parentPath, one.name));
  const leaks: string[] = [];
  for (const file of files) {
    const bytes = await readFile(file);
    if (words.some((word) => bytes.includes(word))) leaks.push(file);
  }
  assert.deepEqual(leaks, []);
  assert.ok(files.length > 500);
  t.diagnostic(`${files.length} files`);
});
