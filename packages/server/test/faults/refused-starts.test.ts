// Environments in which the service cannot work: each is refused at once, in one sentence that names the setting.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { keys, startS3, withoutS3 } from '#test/radosgw';
import type { TestS3 } from '#test/radosgw';
import { compileCache } from '../compile-cache.ts';
import { adminProgram } from '../programs.ts';
import { throwAwayDatabase } from '../throw-away-database.ts';
import type { ThrowAway } from '../throw-away-database.ts';
import { requireS3 } from '../../src/storage/s3-check.ts';
import { assertSentence, refusalsOf } from './refusals.ts';
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
  await makeDatabases();
});

after(async () => {
  await (await s3)?.[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const timeout = 120_000;

const encodings = ['SQL_ASCII', 'LATIN1'] as const;

/** An address for DATABASE_URL. */
function urlOf(name: string): string {
  const { host, port, user } = database.connection;
  return `postgres://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** One database in each encoding, under its name. */
async function makeDatabases(): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  for (const encoding of encodings) {
    await client.query(
      `create database "${encoding}" encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    );
  }
  await client.query('create database keyless');
  await client.end();
}

/** What `npm run admin doctor` prints, and its exit code. */
async function doctor(env: Readonly<Record<string, string>>): Promise<[number | null, string]> {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...compileCache, ...env } };
  const child = spawn(process.execPath, [adminProgram, 'doctor'], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return [code as number | null, printed];
}

const secret = 'not-this-one';
const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI' };

test('a store that takes connections and says nothing is refused', { timeout }, async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  Object.assign(process.env, credentials);
  const store = {
    bucket: 'media',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
  };
  await assert.rejects(requireS3(store, 500), (error: Error) => {
    assertSentence(`Colophon cannot start. ${error.message}\n`, [
      'MEDIA_STORE',
      'media',
      'no answer within 0.5 seconds',
    ]);
    return true;
  });
  silent.close();
});

for (const encoding of encodings) {
  test(`doctor says that a database in ${encoding} is wrong`, { timeout }, async () => {
    const url = urlOf(encoding);
    const [code, printed] = await doctor({ DATABASE_URL: url, DATA_DIR: place.dataDir });
    assert.equal(code, 1);
    assert.match(printed, new RegExp(`^WRONG database .*${encoding}`, 'm'));
  });
}

const onLinux = process.platform === 'linux';
/** They cannot be made. */
const folders = ['/proc/colophon', '/proc/colophon/data', '/dev/null/data', '/sys/colophon'];

type Case = readonly [string, Readonly<Record<string, string>>, readonly string[]];

async function storeCases(): Promise<readonly Case[]> {
  const { store } = (await s3) ?? assert.fail();
  const missing = store.replace('colophon-media', 'no-such-bucket');
  const wrong = { ...keys, AWS_SECRET_ACCESS_KEY: secret };
  return [
    [
      'a bucket that is not there',
      { MEDIA_STORE: missing, ...keys },
      ['MEDIA_STORE', 'NoSuchBucket'],
    ],
    ['a secret that is wrong', { MEDIA_STORE: store, ...wrong }, ['MEDIA_STORE']],
  ];
}

function folderCases(): readonly Case[] {
  return (onLinux ? folders : []).flatMap((folder): readonly Case[] => [
    [folder, { DATA_DIR: folder }, ['DATA_DIR', folder]],
    [
      `${folder} beside a database`,
      { DATA_DIR: folder, DATABASE_URL: urlOf('colophon') },
      ['DATA_DIR', folder],
    ],
  ]);
}

/** Keys of the transparency log, made at a start. */
function keyCases(): readonly Case[] {
  return (onLinux ? folders : []).map((folder): Case => {
    const file = join(folder, 'key.pem');
    return [file, { LOG_KEY_FILE: file, DATABASE_URL: urlOf('keyless') }, ['LOG_KEY_FILE', file]];
  });
}

async function fileForMedia(): Promise<Case> {
  const folder = join(place.folder, 'with-a-file');
  await mkdir(folder);
  await chmod(folder, 0o755);
  const file = join(folder, 'media');
  await writeFile(file, '');
  return ['a file for media', { DATA_DIR: folder }, [file, 'DATA_DIR']];
}

const away = 's3://media?endpoint=http://127.0.0.1:1';

async function allCases(): Promise<readonly Case[]> {
  return [
    [
      'a store that does not answer',
      { MEDIA_STORE: `${away}&region=us-east-1`, ...credentials },
      ['MEDIA_STORE', 'media'],
    ],
    ['a store without credentials', { MEDIA_STORE: away }, ['MEDIA_STORE']],
    ...encodings.map((encoding): Case => {
      return [encoding, { DATABASE_URL: urlOf(encoding) }, ['DATABASE_URL', encoding, 'UTF8']];
    }),
    ['all IPv4 addresses without BASE_URL', { HOST: '0.0.0.0' }, ['HOST', 'BASE_URL']],
    ['all IPv6 addresses without BASE_URL', { HOST: '::' }, ['HOST', 'BASE_URL']],
    ['another spelling of them', { HOST: '0' }, ['HOST', 'BASE_URL']],
    ['too many processes', { PROCESSES: '33' }, ['PROCESSES', '1 to 32']],
    ['no process', { PROCESSES: '0' }, ['PROCESSES']],
    ['some processes', { PROCESSES: 'some' }, ['PROCESSES']],
    ['half a process', { PROCESSES: '0.5' }, ['PROCESSES']],
    ['proxies everywhere', { TRUSTED_PROXIES: '0.0.0.0/0' }, ['TRUSTED_PROXIES', '0.0.0.0/0']],
    await fileForMedia(),
    ...folderCases(),
    ...keyCases(),
    ...(withoutS3 === false ? await storeCases() : []),
  ];
}

test(
  'environments in which it cannot work are refused, and nothing hangs',
  { timeout },
  async (t) => {
    const all = await allCases();
    const refused = await refusalsOf(
      place.folder,
      all.map(([, settings]) => settings),
    );
    for (const [at, [name, , parts]] of all.entries()) {
      await t.test(`${name}: refused`, () => {
        const { sentence } = refused[at] ?? assert.fail();
        assertSentence(sentence, parts);
        assert.ok(!sentence.includes(secret));
      });
    }
  },
);
