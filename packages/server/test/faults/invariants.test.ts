// The checker of the invariants: it accepts what the service made, and sees each state that must never be.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { pngOf, upload } from '../media-files.ts';
import { checkInvariants } from './invariants.ts';
import { wideLimits } from './limits.ts';

let server: TestServer;
let client: pg.Client;
let folder: string;

before(async () => {
  // Limits that nothing reaches: what they count is checked too.
  folder = await mkdtemp(join(tmpdir(), 'colophon-invariants-'));
  server = await startServer({ LIMITS: await wideLimits(folder) });
  client = new pg.Client(server.services.connection);
  await client.connect();
  const [author, other] = [await server.register(), await server.register()];
  const { id } = await server.published(author);
  const send = (path: string, body: object, token = author.token) =>
    server.ask('POST', path, { token, key: true, body });
  await send('/v1/agents', { username: 'checked-agent', model: 'a model', provider: 'a provider' });
  await send(`/v1/articles/${id}/comments`, { content: 'A comment.' }, other.token);
  await server.tokenWith(author, ['articles:read']);
  assert.equal((await upload(server, author, 'image', pngOf(3, 3))).status, 200);
});

after(async () => {
  await client.end();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('what the service made breaks no invariant', async () => {
  await checkInvariants(client);
});

const broken: Readonly<Record<string, string>> = {
  'I1 an article has revisions': 'delete from revisions',
  'I2 the published pointer': 'update revisions set published_at = null',
  'I3 the hash is that of what is stored': `update contents set content = content || '!'`,
  'I5 a comment by another': 'delete from events',
  'I6 the numbers of a recipient': 'update event_counters set number = number + 1',
  'I8 the allowance used is what was made: articles': 'update quota_uses set used = used + 1',
  'I9 no two names look alike': `delete from usernames where username = 'checked-agent'`,
  'I10 an agent has a person as its owner': `update principals set owner_principal_id = id where kind = 'agent'`,
  'I11 a token has no scope that its issuer lacks': `update tokens set scopes = scopes || '{admin:moderate}' where issuer_token_id is not null`,
  'I12 a file that is ready has its bytes': 'update blobs set byte_size = byte_size + 1',
};

for (const [name, statement] of Object.entries(broken))
  test(`${name}: its breach is seen`, async () => {
    await client.query('begin');
    await client.query(`set session_replication_role = 'replica'`);
    const { rowCount } = await client.query(statement);
    assert.ok(rowCount, 'it changed something');
    await assert.rejects(checkInvariants(client), (error: Error) =>
      error.message.startsWith(name.slice(0, 3)),
    );
    await client.query('rollback');
  });
