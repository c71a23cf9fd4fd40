// Surroundings that the service cannot work in: each is refused at once, in one sentence that names the setting.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { keys, startS3, withoutS3 } from '#test/radosgw';
import type { TestS3 } from '#test/radosgw';
import { throwAwayDatabase } from '../throw-away-database.ts';
import type { ThrowAway } from '../throw-away-database.ts';
import { assertSentence, refusal } from './refusals.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';

let place: Place;
let database: ThrowAway;
let s3: Promise<TestS3> | undefined;

before(async () => {
  if (withoutS3 === false) {
    s3 = startS3();
    // Reported by the test that waits for it.
    s3.catch(() => undefined);
  }
  [place, database] = await Promise.all([makePlace('none'), throwAwayDatabase()]);
});

after(async () => {
  await (await s3)?.[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const timeout = 120_000;
const admin = join(import.meta.dirname, '../../src/admin/main.ts');

async function refuses(
  settings: Readonly<Record<string, string>>,
  parts: readonly string[],
): Promise<void> {
  assertSentence(await refusal(place.folder, settings), parts);
}

/** An address for DATABASE_URL of a database with this encoding. */
async function databaseWith(encoding: string): Promise<string> {
  const { host, port, user } = database.connection;
  const name = `in_${encoding.toLowerCase()}`;
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(
    `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
  );
  await client.end();
  return `postgres://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** What `npm run admin doctor` prints, and its exit code. */
async function doctor(env: Readonly<Record<string, string>>): Promise<[number | null, string]> {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } };
  const child = spawn(process.execPath, [admin, 'doctor'], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return [code as number | null, printed];
}

const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI' };

// The first of them wait for most of their time, and the others go on beside them.
describe('surroundings that it cannot work in', { concurrency: 2 }, () => {
  test('a store that nobody answers for is refused', { timeout }, async () => {
    await refuses(
      { MEDIA_STORE: 's3://media?endpoint=http://127.0.0.1:1&region=us-east-1', ...credentials },
      ['MEDIA_STORE', 'media'],
    );
  });

  test('a store that takes connections and says nothing is refused', { timeout }, async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await refuses({ MEDIA_STORE: `s3://media?endpoint=http://127.0.0.1:${port}`, ...credentials }, [
      'MEDIA_STORE',
      'media',
    ]);
    silent.close();
  });

  test('a store without credentials is refused', { timeout }, async () => {
    await refuses({ MEDIA_STORE: 's3://media?endpoint=http://127.0.0.1:1' }, ['MEDIA_STORE']);
  });

  test(
    'a bucket that is not there, and a secret that is wrong, are refused',
    { timeout, skip: withoutS3 },
    async () => {
      const { store } = (await s3) ?? assert.fail();
      const missing = store.replace('colophon-media', 'no-such-bucket');
      await refuses({ MEDIA_STORE: missing, ...keys }, ['MEDIA_STORE', 'NoSuchBucket']);
      const wrong = { ...keys, AWS_SECRET_ACCESS_KEY: 'not-this-one' };
      const said = await refusal(place.folder, { MEDIA_STORE: store, ...wrong });
      assertSentence(said, ['MEDIA_STORE']);
      assert.doesNotMatch(said, /not-this-one/);
    },
  );

  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    test(`a database in ${encoding} is refused`, { timeout }, async () => {
      const url = await databaseWith(encoding);
      await refuses({ DATABASE_URL: url }, ['DATABASE_URL', encoding, 'UTF8']);
      const [code, printed] = await doctor({ DATABASE_URL: url, DATA_DIR: place.dataDir });
      assert.equal(code, 1);
      assert.match(printed, new RegExp(`^WRONG database .*${encoding}`, 'm'));
    });
  }

  for (const [name, settings, parts] of [
    ['all IPv4 addresses without BASE_URL', { HOST: '0.0.0.0' }, ['HOST', 'BASE_URL']],
    ['all IPv6 addresses without BASE_URL', { HOST: '::' }, ['HOST', 'BASE_URL']],
    ['another spelling of them', { HOST: '0' }, ['HOST', 'BASE_URL']],
    ['two processes', { PROCESSES: '2' }, ['PROCESSES', 'not available yet']],
    ['no process', { PROCESSES: '0' }, ['PROCESSES']],
    ['some processes', { PROCESSES: 'some' }, ['PROCESSES']],
    ['half a process', { PROCESSES: '0.5' }, ['PROCESSES']],
    ['proxies everywhere', { TRUSTED_PROXIES: '0.0.0.0/0' }, ['TRUSTED_PROXIES', '0.0.0.0/0']],
  ] as const) {
    test(`${name}: refused`, { timeout }, async () => {
      await refuses(settings, parts);
    });
  }

  for (const folder of [
    '/proc/colophon',
    '/proc/colophon/data',
    '/dev/null/data',
    '/sys/colophon',
  ]) {
    test(
      `DATA_DIR=${folder}, which cannot be made, is refused and does not hang`,
      { timeout, skip: process.platform !== 'linux' && 'these folders are those of Linux' },
      async () => {
        await refuses({ DATA_DIR: folder }, ['DATA_DIR', folder]);
        const { host, port, user } = database.connection;
        const url = `postgres://${user}@/colophon?host=${encodeURIComponent(String(host))}&port=${port}`;
        await refuses({ DATA_DIR: folder, DATABASE_URL: url }, ['DATA_DIR', folder]);
      },
    );
  }

  test('a folder of media that is a file is refused', { timeout }, async () => {
    const dataDir = join(place.folder, 'with-a-file');
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    await writeFile(join(dataDir, 'media'), '');
    await refuses({ DATA_DIR: dataDir }, [join(dataDir, 'media'), 'DATA_DIR']);
  });
});
