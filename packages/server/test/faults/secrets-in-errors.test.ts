// Passwords and keys of the settings, in everything that a failing start and a failing service write.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { after, before, test } from 'node:test';
import { copyPreparedFolder } from '../prepared-folder.ts';
import { refusalsOf, startAndEnd, unusedDataDir } from './refusals.ts';
import type { Refused } from './refusals.ts';
import { makePlace } from './server-process.ts';
import type { Place } from './server-process.ts';

type Settings = Readonly<Record<string, string>>;

const timeout = 120_000;
const secret = 'hunter-2-battery';
/** Pieces of it too: a malformed address ends up cut at its separators. */
const odd = 'piece-one/piece-two@piece-three:piece-four?piece-five#piece-six';
const pieces = odd.split(/[/@:?#]/);
const aws = {
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'session-token-of-the-test',
};
const never = [secret, ...pieces, ...Object.values(aws), 'wJalrXUtnFEMI'];

let place: Place;
const servers: Server[] = [];

async function listenOn(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Answers every command with an error that quotes it, password and all. */
function quotingRedis(): Promise<number> {
  return listenOn(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        for (const _ of String(bytes).matchAll(/^\*/gm))
          socket.write(`-ERR not taken: ${String(bytes).replaceAll(/\s+/g, ' ')}\r\n`);
      });
    }),
  );
}

/** Refuses the connection with an error of PostgreSQL that quotes what it was sent. */
function quotingPostgres(): Promise<number> {
  return listenOn(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const text = `SFATAL\0C28P01\0Mno entry for ${secret}\0D${secret}\0H${secret}\0\0`;
        const length = Buffer.alloc(4);
        length.writeInt32BE(Buffer.byteLength(text) + 4);
        socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(text)]));
      });
    }),
  );
}

/** Answers 403 and quotes the keys, as some stores do. */
function quotingStore(): Promise<number> {
  return listenOn(
    createHttp((_request, response) => {
      const words = Object.values(aws).join(' ');
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end(
        `<Error><Code>InvalidAccessKeyId</Code><Message>${words}</Message><AWSAccessKeyId>${aws.AWS_ACCESS_KEY_ID}</AWSAccessKeyId></Error>`,
      );
    }),
  );
}

function assertNone(said: string): void {
  for (const one of never) assert.ok(!said.includes(one), `${one} stands in: ${said}`);
}

const usual = { LOG_LEVEL: 'trace', METRICS_TOKEN: secret };

async function assertSilent(settings: Settings, expects: 'refuses' | 'serves'): Promise<void> {
  const server = await startAndEnd(place.folder, {
    ...usual,
    ...settings,
  });
  const { code } = await server.ended;
  assert.equal(code, expects === 'serves' ? 0 : 1, server.complaint());
  assertNone(`${JSON.stringify(server.log)}\n${server.complaint()}`);
}

const quotingUrl = `postgres://me:${secret}@127.0.0.1:${await quotingPostgres()}/d`;
const quotingEndpoint = `http://127.0.0.1:${await quotingStore()}`;

const refused: readonly (readonly [string, Settings])[] = [
  ['an unknown scheme', { DATABASE_URL: `mysql://me:${secret}@h/d` }],
  ['an unknown scheme, with an odd password', { DATABASE_URL: `mysql://me:${odd}@h/d` }],
  ['a password that is not encoded', { DATABASE_URL: `postgres://me:${odd}@127.0.0.1:1/d` }],
  ['a malformed port', { DATABASE_URL: `postgres://me:${secret}@127.0.0.1:port/d` }],
  ['no server', { DATABASE_URL: `postgres://me:${secret}@127.0.0.1:1/d` }],
  ['a password as a parameter', { DATABASE_URL: `postgres://127.0.0.1:1/d?password=${secret}` }],
  ['a password in the path', { DATABASE_URL: `postgres://127.0.0.1:1/me:${secret}@h/d` }],
  ['a broken escape', { DATABASE_URL: `postgres://me:${secret}%zz@127.0.0.1:1/d` }],
  ['an address of Redis with another scheme', { REDIS_URL: `http://me:${secret}@h` }],
  ['a Redis with an odd password', { REDIS_URL: `redis://me:${odd}@h` }],
  ['keys in the name of the bucket', { MEDIA_STORE: `s3://${secret}:${secret}@bucket` }],
  ['keys in the endpoint', { MEDIA_STORE: `s3://bucket?endpoint=http://me:${odd}@127.0.0.1:1` }],
  ['keys as parameters', { MEDIA_STORE: `s3://bucket?secretAccessKey=${secret}` }],
  ['a store that is away', { MEDIA_STORE: 's3://bucket?endpoint=http://127.0.0.1:1', ...aws }],
  ['a password in BASE_URL', { BASE_URL: `https://me:${secret}@h.example` }],
  ['a password in ERRORS_BASE_URL', { ERRORS_BASE_URL: `https://me:${odd}@h.example` }],
  ['a password of a witness', { LOG_WITNESSES: `w.example+1+key https://me:${secret}@w.example` }],
  ['the private key of a log', { LOG_WITNESS_FOR: `PRIVATE+KEY+log.example+1+${secret}` }],
  ['a token that is too short', { METRICS_TOKEN: pieces[0] ?? '' }],
  ['a database that quotes the password', { DATABASE_URL: quotingUrl }],
  [
    'a store that quotes the keys',
    { MEDIA_STORE: `s3://bucket?endpoint=${quotingEndpoint}`, ...aws },
  ],
];

let refusals: readonly Refused[];

before(async () => {
  place = await makePlace('none');
  await copyPreparedFolder(unusedDataDir(place.folder));
  const all = refused.map(([, settings]) => ({ ...usual, ...settings }));
  refusals = await refusalsOf(place.folder, all);
});

after(async () => {
  for (const server of servers) server.close();
  await place[Symbol.asyncDispose]();
});

for (const [index, [name]] of refused.entries()) {
  test(`no secret is written: ${name}`, () => {
    const { sentence, log } = refusals[index] ?? assert.fail();
    assert.notEqual(sentence, '', 'it was not refused');
    assertNone(`${log}\n${sentence}`);
  });
}

test('no secret is written: a process that ends, a database that quotes the password', () =>
  assertSilent({ DATABASE_URL: quotingUrl }, 'refuses'));

test(
  'no secret is written: a Redis that quotes the password while the service runs',
  { timeout },
  async () => {
    const url = `redis://me:${secret}@127.0.0.1:${await quotingRedis()}`;
    await assertSilent({ REDIS_URL: url }, 'serves');
  },
);

test('no secret is written: a Redis that is away while the service runs', { timeout }, async () => {
  await assertSilent({ REDIS_URL: `redis://me:${secret}@127.0.0.1:1` }, 'serves');
});
