// The README's first article: its lines as they are written there, run by a shell, twice.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const address = 'http://localhost:8080';

/** The block below the heading; nothing but the address of the server is another one. */
async function linesOfReadme(baseUrl: string): Promise<string> {
  const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8');
  const [, section = ''] = readme.split('## Publish a first article\n');
  const lines = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? assert.fail('There are no lines.');
  assert.ok(lines.includes(address));
  return lines.replaceAll(address, baseUrl);
}

async function run(shell: string, lines: string) {
  const child = spawn(shell, ['-c', lines], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: await ended };
}

test('the first run ends with an address to open in a browser; the second says that the name is taken', async () => {
  const lines = await linesOfReadme(server.baseUrl);
  const first = await run('sh', lines);
  assert.deepEqual([first.code, first.err], [0, '']);
  const url = /^Open (\S+) in a browser\. Your token, shown once: \S{40,}\n$/.exec(first.out)?.[1];
  const page = await fetchPage(server, url ?? '');
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1[^>]*>Hello<\/h1>[\s\S]*My <em>first<\/em> article\./);

  for (const shell of ['sh', 'bash']) {
    const second = await run(shell, lines);
    assert.equal(second.out, '', shell);
    assert.notEqual(second.code, 0, shell);
    assert.match(second.err, /^This username is taken/m, shell);
  }
});

test('without a server the lines say so and stop', async () => {
  const { out, err, code } = await run('sh', await linesOfReadme('http://127.0.0.1:9'));
  assert.equal(out, '');
  assert.notEqual(code, 0);
  assert.match(err, /connect/i);
});
