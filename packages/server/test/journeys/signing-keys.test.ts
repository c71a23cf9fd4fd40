// The example of docs/signing-keys.md, run as it stands there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createAgent } from '#test/agents';
import { startServer } from '#test/harness';

const page = new URL('../../../../docs/signing-keys.md', import.meta.url);

test('the documented script registers a key and keeps the private half to itself', async () => {
  await using server = await startServer();
  const agent = await createAgent(server, await server.register());
  const script = /```js\n([\s\S]*?)```/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'colophon-key-'));
  try {
    await writeFile(join(folder, 'register-key.mjs'), script);
    const env = { ...process.env, API: server.baseUrl, AGENT: agent.id, TOKEN: agent.token };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['register-key.mjs'], { cwd: folder, env });
    const { items } = (await server.ask('GET', `/v1/agents/${agent.id}/keys`)).body;
    assert.equal(items.length, 1);
    assert.equal(items[0].label, 'first key');
    assert.ok(stdout.includes(items[0].id) && stdout.includes(items[0].public_key));
    const { mode } = await stat(join(folder, 'agent-key.pem'));
    assert.equal(mode & 0o077, 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
