// What doctor finds of things that only several hosts have, and of a database that no server has used.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lacksCitus } from './citus/one-server.ts';
import { databaseUrlOf } from './derived-tables.ts';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { operateWith } from './operator.ts';
import { ownPort } from './own-port.ts';
import { startRedis, withoutRedis } from './redis.ts';
import { throwAwayDatabase } from './throw-away-database.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const doctor = (settings: Readonly<Record<string, string>>) =>
  operateWith(server, settings, 'doctor');

test('doctor says whether the Redis of REDIS_URL counts', { skip: withoutRedis }, async () => {
  await using redis = await startRedis();
  const { out, code } = await doctor({ REDIS_URL: redis.url });
  assert.equal(code, 0, out);
  assert.match(out, /ok {4}shared limits {3}the Redis of REDIS_URL counts for every host\n/);
  const refused = await doctor({ REDIS_URL: redis.url.replace('//', '//nobody:not-this-one@') });
  assert.equal(refused.code, 1);
  assert.match(refused.out, /WRONG shared limits .*counts for itself: \S/);
  assert.doesNotMatch(refused.out, /not-this-one/);
  await redis.freeze();
  const frozen = await doctor({ REDIS_URL: redis.url });
  redis.thaw();
  assert.match(frozen.out, /WRONG shared limits .*It did not answer within 5 s\./);
  await redis.kill();
  const { out: lost } = await doctor({ REDIS_URL: redis.url });
  assert.match(lost, /WRONG shared limits .*ECONNREFUSED/);
});

test('doctor says of a new database that it is new, and names no table', async () => {
  await using fresh = await throwAwayDatabase();
  const { host, port, user } = fresh.connection;
  const url = `postgres://${user}@/postgres?host=${encodeURIComponent(String(host))}&port=${port}`;
  const { out, code } = await doctor({ DATABASE_URL: url });
  assert.equal(code, 1);
  assert.match(out, /WRONG migrations {6}none applied, the database is new\. Start the server/);
  assert.match(out, /WRONG pipeline {8}not known until every migration is applied\n/);
  assert.doesNotMatch(out, /relation|0001_/);
});

test(
  'distribute refuses a database without the extension in one sentence',
  lacksCitus,
  async () => {
    const { complaint, code } = await operateWith(server, {}, 'distribute');
    assert.equal(code, 1);
    assert.match(complaint, /^The database has no extension citus: [^\n]+\n$/);
  },
);

test('doctor names the servers of REPLICA_URLS that cannot be used; the primary may be one of them', async () => {
  const primary = databaseUrlOf(server);
  const { out, code } = await doctor({ REPLICA_URLS: primary });
  assert.equal(code, 0, out);
  assert.match(out, /ok {4}standbys {8}1 in REPLICA_URLS/);
  const lost = `127.0.0.1:${await ownPort()}`;
  const wrong = await doctor({ REPLICA_URLS: `${primary},postgres://u:secret-word@${lost}/d` });
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, new RegExp(`WRONG standbys .*: ${lost}: .*ECONNREFUSED`));
  assert.doesNotMatch(wrong.out, /secret-word/);
});
