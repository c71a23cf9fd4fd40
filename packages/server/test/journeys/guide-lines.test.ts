// docs/media.md and docs/export.md: their lines as they are written there, run by a shell.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '#test/harness';
import { pngOf } from '#test/media-files';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const folder = await mkdtemp(join(tmpdir(), 'colophon-guides-'));
after(() => rm(folder, { recursive: true, force: true }));

/** uuidgen is a program of its own on some systems. */
const prelude = `command -v uuidgen >/dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }\n`;

/** Runs the first block of a guide, and prints the status of each call on standard error. */
async function runGuide(name: string, token: string): Promise<readonly string[]> {
  const page = await readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
  const lines = /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? assert.fail(name);
  const script = lines.replace('http://localhost:8080', server.baseUrl);
  assert.notEqual(script, lines);
  const counted = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }\n`;
  const { stderr } = await promisify(execFile)('bash', ['-euc', prelude + counted + script], {
    cwd: folder,
    env: { ...process.env, TOKEN: token },
  });
  return stderr.split('\n').filter((line) => /^\d{3}$/.test(line));
}

const fileOf = (name: string) => readFile(join(folder, name));

test('media: reserved, uploaded, read whole and in part, described and removed', async () => {
  const { token } = await server.register();
  const picture = pngOf(640, 400);
  await writeFile(join(folder, 'harbour.png'), picture);
  const codes = await runGuide('media.md', token);
  // The variant is asked for until it is made.
  const other = codes.filter((code) => code !== '503');
  assert.deepEqual(other, ['201', '200', '200', '206', '200', '200', '200', '204']);
  assert.deepEqual(await fileOf('copy.png'), picture);
  assert.deepEqual(await fileOf('first-bytes'), picture.subarray(0, 100));
  assert.equal((await fileOf('small.webp')).subarray(8, 12).toString(), 'WEBP');
});

test('export: requested, read and downloaded', async () => {
  const human = await server.register();
  await server.published(human);
  const codes = await runGuide('export.md', human.token);
  assert.deepEqual(codes.slice(0, 2), ['201', '200']);
  assert.equal(codes.at(-1), '200');
  const archive = await fileOf('export.zip');
  assert.equal(archive.subarray(0, 2).toString(), 'PK');
});
