// The exit code of a command whose output or errors nobody reads.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { json, startScript } from '../../sdk/test/scripted-server.ts';
import { openHome } from './run-cli.ts';

const program = join(import.meta.dirname, '../src/main.ts');
const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

const home = await openHome();
after(() => home[Symbol.asyncDispose]());

/** Runs the program in a process of its own; nobody reads the closed streams. */
async function codeOf(words: readonly string[], closed: readonly ('stdout' | 'stderr')[]) {
  const env = { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...home.env };
  const child = spawn(process.execPath, [program, ...words], { env, cwd: home.folder });
  for (const name of closed) child[name].destroy();
  child.stdout.resume();
  child.stderr.resume();
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

const ways = [[], ['stdout'], ['stderr'], ['stdout', 'stderr']] as const;

test('an answer that nobody reads keeps the exit code of its command', async () => {
  const bundle = { proof: {}, revision: {}, trusted: { baseUrl: 'https://a.example', keys: [] } };
  await writeFile(join(home.folder, 'bundle.json'), JSON.stringify(bundle));
  for (const closed of ways)
    assert.equal(await codeOf(['verify', 'bundle.json', '--json'], closed), 3, closed.join());
});

test('a failure that nobody reads keeps its exit code', async () => {
  const words = ['whoami', '--url', 'http://127.0.0.1:9', '--attempts', '1'];
  for (const closed of ways) assert.equal(await codeOf(words, closed), 28, closed.join());
});

test('a list that nobody reads ends with 0', async () => {
  const items = Array.from({ length: 100 }, () => ({ id, title: 'x'.repeat(100) }));
  await using service = await startScript(json(200, { items, next_cursor: id }));
  const list = ['api', 'list-articles', '--all', '--url', service.baseUrl];
  assert.equal(await codeOf(list, ['stdout']), 0);
});

test(
  'output that a full disk does not take is a failure that says so',
  { skip: !existsSync('/dev/full') },
  async () => {
    const page = json(200, { items: [{ id, title: 'A' }], next_cursor: null });
    await using service = await startScript(page, page);
    const list = ['api', 'list-articles', '--url', service.baseUrl];
    for (const words of [list, [...list, '--all'], ['--help'], ['completion', 'bash']]) {
      const env = { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...home.env };
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [program, ...words], {
        env,
        cwd: home.folder,
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      const [parts, [code]] = await Promise.all([child.stderr?.toArray(), once(child, 'close')]);
      assert.equal(code, 1, words.join(' '));
      assert.match(
        String(Buffer.concat(parts ?? [])),
        /^colophon: Cannot write the output: the disk is full\.\nNext: .*elsewhere\.\n$/,
      );
    }
  },
);
