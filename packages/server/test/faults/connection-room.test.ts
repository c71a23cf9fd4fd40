// Several processes over a database that admits too few connections: the start says so before the first is refused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { connectionRoom } from '#database';
import { throwAwayDatabase } from '../throw-away-database.ts';
import type { ThrowAway } from '../throw-away-database.ts';
import { linesWith } from './many-processes.ts';
import { startAndEnd } from './refusals.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';

let place: Place;
let database: ThrowAway;

before(async () => {
  [place, database] = await Promise.all([makePlace('none'), throwAwayDatabase()]);
  const client = new pg.Client(database.connection);
  await client.connect();
  // No server starts on this encoding, so that each start of this file ends by itself.
  const refused = `encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`;
  await client.query(`create database roomy ${refused}`);
  await client.query(`create database limited ${refused} connection limit 20`);
  await client.query(`create role few login superuser connection limit 11`);
  await client.end();
});

after(async () => {
  await place[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** An address for DATABASE_URL. */
function urlOf(name: string, role = database.connection.user): string {
  const { host, port } = database.connection;
  return `postgres://${String(role)}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** What two web processes, which need 75 connections during a restart, are warned of at their start. */
async function warningsOf(databaseUrl: string) {
  const settings = { DATABASE_URL: databaseUrl, ROLE: 'web', PROCESSES: '2' };
  const server = await startAndEnd(place.folder, settings);
  assert.match(server.complaint(), /SQL_ASCII/, 'it went on after the warning');
  return linesWith(server, 'The database admits').map(({ room, needed, level, msg }) => ({
    told: [room, needed, level],
    msg,
  }));
}

test('the room is that of the server, of the database or of the role, whichever is least', async () => {
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ room: number }>(`
    select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int as room`);
  await client.end();
  assert.equal(await connectionRoom(urlOf('roomy')), rows[0]?.room);
  assert.equal(await connectionRoom(urlOf('limited')), 20);
  assert.equal(await connectionRoom(urlOf('limited', 'few')), 11);
  assert.equal(await connectionRoom(urlOf('there-is-none')), undefined);
});

test('a start whose processes may need more connections than there are warns and goes on', async () => {
  const [warning, ...more] = await warningsOf(urlOf('limited'));
  assert.deepEqual(warning?.told, [20, 75, 40]);
  assert.match(String(warning?.msg), /max_connections to 75 .* PROCESSES lower/);
  assert.deepEqual(more, []);
});

test('a start that has room for its processes warns of nothing', async () => {
  assert.deepEqual(await warningsOf(urlOf('roomy')), []);
});
