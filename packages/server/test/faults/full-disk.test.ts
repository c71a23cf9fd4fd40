// A disk that is full: writes answer 503 with Retry-After and have no effect, reads go on, and all works once there is space.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { inspectDataDir } from '#database';
import { copyPreparedFolder } from '../prepared-folder.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const diskMegabytes = 320;

let place: Place;
let server: ServerProcess;
let disk: string;
let isMounted = false;

before(async () => {
  place = await makePlace('none');
  disk = join(place.folder, 'disk');
  await mkdir(disk);
  const size = `size=${diskMegabytes}m,mode=755`;
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk]).status === 0;
  await copyPreparedFolder(join(disk, 'data'));
  server = place.start({ DATA_DIR: join(disk, 'data') });
  await server.ready(place.baseUrl);
});

after(async () => {
  server.kill('SIGTERM');
  await server.ended;
  if (isMounted) spawnSync('umount', [disk]);
  await place[Symbol.asyncDispose]();
});

async function asOwner(statement: string): Promise<void> {
  const { connection } = await inspectDataDir(join(disk, 'data'));
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Takes every byte of the disk. Where nothing may be mounted, PostgreSQL says what it says on a full disk. */
async function fill(): Promise<void> {
  if (!isMounted) {
    return asOwner(`
      create function no_space() returns trigger language plpgsql as
      $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger no_space before insert on contents execute function no_space()`);
  }
  const filler = await open(join(disk, 'filler'), 'a');
  try {
    for (let size = 1 << 20; size >= 512;)
      await filler.appendFile(Buffer.alloc(size, 1)).catch(() => (size /= 2));
  } finally {
    await filler.close();
  }
}

async function free(): Promise<void> {
  if (isMounted) await rm(join(disk, 'filler'));
  else await asOwner('drop trigger no_space on contents');
}

interface Answer {
  readonly status: number;
  readonly retryAfter: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(path: string, body: object, token = '', key = crypto.randomUUID() as string) {
  const response = await fetch(place.baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const retryAfter = Number(response.headers.get('retry-after') ?? 0);
  const answer: Answer = {
    status: response.status,
    retryAfter,
    body: (await response.json()) as Answer['body'],
  };
  return answer;
}

function draft(token: string, key?: string): Promise<Answer> {
  // Random, so that compression leaves it as big as it is.
  const content = randomBytes(150_000).toString('base64');
  return post('/v1/articles', { title: 'Big', content, language: 'en' }, token, key);
}

test('503 unavailable with Retry-After while the disk is full, and 201 when there is space again', async (t) => {
  t.diagnostic(
    isMounted ? 'a tmpfs is full' : 'nothing can be mounted: PostgreSQL says it is full',
  );
  const { body: human } = await post('/v1/humans', { username: 'full-disk' });
  const token = String(human['token']);
  assert.equal((await draft(token)).status, 201);
  // A new segment of the log has room for all that is tried: PostgreSQL restarts when it cannot get one.
  await asOwner('select pg_switch_wal()');
  assert.equal((await draft(token)).status, 201);
  await fill();
  let written = 2;
  let refused = 0;
  for (let tries = 0; refused < 5 && tries < 200; tries += 1) {
    const answer = await draft(token);
    if (answer.status === 201) written += 1;
    else {
      assert.equal(answer.status, 503, JSON.stringify(answer.body));
      assert.match(String(answer.body['type']), /\/unavailable$/);
      assert.ok(answer.retryAfter > 0);
      refused += 1;
    }
  }
  assert.equal(refused, 5);
  const list = `${place.baseUrl}/v1/articles?status=draft&author=full-disk&limit=100`;
  const read = await fetch(list, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(read.status, 200, 'reads go on');
  const { items } = (await read.json()) as { items: unknown[] };
  assert.equal(items.length, Math.min(written, 100), 'what was refused has no effect');
  if (isMounted) {
    // PostgreSQL may have given some space back since then.
    await until('readiness says that the disk is full', async () => {
      await fill();
      const ready = await fetch(`${place.baseUrl}/readyz`);
      await ready.arrayBuffer();
      return ready.status === 503;
    });
  }
  await free();
  const key = crypto.randomUUID();
  await until('it takes writes again', async () => (await draft(token, key)).status === 201);
  const failures = server.log.filter(
    ({ msg }) => msg === 'A request failed with an internal error.',
  );
  assert.deepEqual(failures, []);
});
