// The published package: installed offline into an empty folder, on the oldest Node.js, and how fast it starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildProgram } from '../../../scripts/programs/build.ts';
import { installFolder, run } from '../../sdk/test/packing.ts';
import { json, silent, startScript } from '../../sdk/test/scripted-server.ts';
import { freshName, startServer } from '../../server/test/harness.ts';
import { until } from '../../server/test/throw-away-database.ts';

const place = await mkdtemp(join(tmpdir(), 'colophon-packed-'));
after(() => rm(place, { recursive: true, force: true }));
await buildProgram('cli', join(place, 'built'));
const installed = await installFolder(place, join(place, 'built'));
const program = join(installed.folder, 'node_modules/.bin/colophon');
const env = { PATH: process.env['PATH'], HOME: place, XDG_CONFIG_HOME: join(place, 'config') };
const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

test('it installs offline into an empty folder, without a warning and without dependencies', async () => {
  assert.equal(installed.complaints, '');
  const lock = JSON.parse(await readFile(join(installed.folder, 'package-lock.json'), 'utf8'));
  assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/colophon']);
  assert.ok(installed.files.includes('README.md') && installed.files.includes('NOTICES.md'));
  assert.equal((await stat(join(place, 'built/colophon.js'))).mode & 0o100, 0o100);
});

test('it runs on the oldest Node.js of this machine and on its own: every command, and a whole visit', async () => {
  await using server = await startServer();
  for (const node of new Set([installed.node, process.execPath])) {
    const colophon = async (...args: readonly string[]) => {
      const { stdout, stderr } = await run(node, [program, ...args], { env, cwd: place });
      assert.equal(stderr, '', args.join(' '));
      return stdout;
    };
    const name = freshName();
    await colophon('signup', name, '--url', server.baseUrl);
    await writeFile(join(place, `${name}.md`), '# Title\n\nSome *text* with `code`.\n');
    const url = (await colophon('publish', `${name}.md`, '--profile', name)).trim();
    const read = await colophon('read', url, '--profile', name);
    assert.match(read, /^Title\n[^]*Some text with code\.\n$/);
    assert.match(await colophon('diff', `${name}.md`, '--profile', name), /They are the same/);
    assert.match(await colophon('key', 'create', name), /Created the key/);
    assert.equal(JSON.parse(await colophon('whoami', '--json')).principal.kind, 'human');
    // An import parses in a thread, which is a file of its own.
    await mkdir(join(place, `${name}-blog`));
    await writeFile(join(place, `${name}-blog`, 'a.md'), '# Moved\n\nA *text*.\n');
    assert.match(await colophon('import', `${name}-blog`, '--json'), /"imported":\s*1/);
  }
});

/** Processor time in milliseconds of a run of the program, the least of five; fewer, where one needs no more than `enough`. */
async function processorTime(node: string, args: readonly string[], enough = 0): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5 && !times.some((time) => time <= enough); round += 1) {
    const script = '"$0" "$@" > /dev/null; times';
    const { stdout } = await run('bash', ['-c', script, node, ...args], { env, cwd: place });
    const [, ofChildren = ''] = stdout.trim().split('\n');
    const parts = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
    times.push(parts.reduce((sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000, 0));
  }
  return Math.min(...times);
}

test('its help is there within 150 ms of processor time, or four times an empty program’s on a slow machine', async () => {
  for (const node of new Set([installed.node, process.execPath])) {
    let empty: number | undefined;
    for (const args of [['--help'], ['--version'], ['api', '--help']]) {
      const used = await processorTime(node, [program, ...args], 150);
      if (used <= 150) continue;
      empty ??= await processorTime(node, ['-e', '0']);
      assert.ok(used <= empty * 4, `${node} ${args.join(' ')}: ${used} ms, empty ${empty} ms`);
    }
  }
});

function start(...args: readonly string[]) {
  const child = spawn(installed.node, [program, ...args], { env, cwd: place });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { child, ended };
}

test('Ctrl-C ends a request in flight with exit code 130, and leaves no trace', async () => {
  await using service = await startScript(silent);
  const { child, ended } = start('api', 'read-me', '--url', service.baseUrl);
  let err = '';
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  await until('it asks', () => service.seen.length > 0 || child.exitCode !== null);
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  assert.equal(err, '');
});

test('Ctrl-C ends a command that waits for standard input', async () => {
  const { child, ended } = start('comment', id, '--url', 'http://127.0.0.1:9');
  // More than a pipe holds: when all of it is written, the program reads.
  child.stdin.write('I agree. '.repeat(200_000));
  await until('it reads', () => child.stdin.writableLength === 0);
  child.kill('SIGINT');
  assert.equal(await ended, 130);
});

test('a reader that ends early, such as head, is not a failure', async () => {
  const items = Array.from({ length: 100 }, () => ({ id, title: 'x'.repeat(1000) }));
  await using service = await startScript(json(200, { items, next_cursor: id }));
  const { child, ended } = start('api', 'list-articles', '--all', '--url', service.baseUrl);
  child.stdout.once('data', () => child.stdout.destroy());
  assert.equal(await ended, 0);
});
