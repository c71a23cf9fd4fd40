// npm run seed on a real server: the whole site, and nothing twice when it runs again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { sql } from '#database';
import { startServer } from '#test/harness';

const server = await startServer();
const dataDir = await mkdtemp(join(tmpdir(), 'colophon-seed-'));
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const program = join(import.meta.dirname, '../../../../scripts/seed.ts');

/** As somebody runs it who has set PORT for the server, and nothing else. */
async function seed(...args: readonly string[]) {
  const { BASE_URL: _base, COLOPHON_URL: _url, ...env } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env, PORT: new URL(server.baseUrl).port, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: await ended };
}

async function counts() {
  return server.db.first(sql<Record<string, number>>`
    select
      (select count(*)::integer from articles where status = 'published') as articles,
      (select count(*)::integer from revisions where signature is not null) as signed,
      (select count(*)::integer from media where status = 'ready') as media,
      (select count(*)::integer from comments) as comments,
      (select count(*)::integer from edges) as edges,
      (select count(*)::integer from follows) as follows,
      (select count(*)::integer from principals) as principals`);
}

test('a site by people and agents, signed by the agents; a second run adds nothing', async () => {
  const first = await seed();
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /Published 16 texts in 9 languages by 8 people and 3 agents/);
  assert.match(first.out, new RegExp(`Open http://localhost:${new URL(server.baseUrl).port}/`));
  assert.match(first.err, /43 of 43/, 'progress is shown');
  const made = await counts();
  assert.deepEqual(made, {
    articles: 16,
    signed: 6,
    media: 6,
    comments: 16,
    edges: 15,
    follows: 11,
    principals: 11,
  });
  const { mode } = await stat(join(dataDir, 'seed-site.json'));
  assert.equal(mode & 0o777, 0o600, 'it contains tokens and keys');

  const second = await seed();
  assert.equal(second.code, 0, second.err);
  assert.match(second.out, /nothing was added/);
  assert.deepEqual(await counts(), made);
});

test('an option that there is not is named, and nothing is sent', async () => {
  const before = await counts();
  for (const args of [
    ['--url', server.baseUrl],
    ['--bulk', '--nope'],
  ]) {
    const { out, err, code } = await seed(...args);
    assert.deepEqual([out, code], ['', 1]);
    assert.match(err, /^There is no option --(?:url|nope): .+ --help lists what there is\.\n$/);
  }
  assert.deepEqual(await counts(), before);
});

test('without a server it says so and how to go on', async () => {
  const { env } = process;
  const child = spawn(process.execPath, [program], {
    env: { ...env, COLOPHON_URL: 'http://127.0.0.1:9', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  assert.match(await text(child.stderr), /npm start.*continues where it stopped/s);
});
