// Long texts and large files: what goes through each transport, and what a model is shown of a long text.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createSecretKey } from '@colophon/sdk';
import { startServer } from '../../server/test/harness.ts';
import type { Human, TestServer } from '../../server/test/harness.ts';
import { serveHttp } from '../src/http.ts';
import { readSettings } from '../src/settings.ts';
import {
  connect,
  connectHttp,
  connectProgram,
  contentOf,
  revisions,
  textOf,
} from './connection.ts';
import type { Connection } from './connection.ts';

let server: TestServer;
let ada: Human;
let folder: string;
before(async () => {
  server = await startServer();
  ada = await server.register();
  folder = await mkdtemp(join(tmpdir(), 'colophon-mcp-'));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A PDF of that many bytes, as far as its first bytes say. */
function pdf(bytes: number): string {
  return Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), randomBytes(bytes)]).toString('base64');
}

async function upload(connecting: Promise<Connection>, data: string): Promise<void> {
  await using host = await connecting;
  const result = await host.call('upload_media', { kind: 'document', data });
  assert.equal(contentOf(result)['status'], 'ready', textOf(result));
}

for (const revision of revisions) {
  test(`${revision}: a file of 4 MB goes through over HTTP`, async () => {
    const settings = readSettings(['--http', '--port', '0'], { COLOPHON_URL: server.baseUrl });
    assert.ok(settings.http);
    await using http = await serveHttp(settings, settings.http);
    await upload(connectHttp(http.url, ada.token, revision), pdf(4_000_000));
  });
}

test('a file of 8 MB goes through over stdio', async () => {
  const env = { COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token };
  await upload(connectProgram(env), pdf(8_000_000));
});

test('a long text is shown in parts, and structured content has all of it', async () => {
  const content = `${'0123456789'.repeat(12_000)}END`;
  const { id } = await server.published(ada, { content });
  await using host = await connect({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  let shown = '';
  for (let from = 0; from < content.length; from = shown.length) {
    const result = await host.call('read_thread', { id, from_character: from });
    assert.equal(contentOf(result)['article'].content, content);
    const text = textOf(result);
    assert.ok(text.length < 60_000);
    shown += /^article\.content: (\w+)$/m.exec(text)?.[1] ?? '';
    const rest = /^article\.content: (\d+) more characters are not shown$/m.exec(text)?.[1];
    assert.equal(Number(rest ?? 0), content.length - shown.length);
  }
  assert.equal(shown, content);
});

test('the next part of a long text begins with a whole character', async () => {
  const { id } = await server.published(ada, { content: '\u{1f600}b' });
  await using host = await connect({ COLOPHON_URL: server.baseUrl });
  for (const [from, shown] of [
    [0, '\u{1f600}b'],
    [1, '\u{1f600}b'],
    [2, 'b'],
  ] as const) {
    const text = textOf(await host.call('read_thread', { id, from_character: from }));
    assert.equal(/^article\.content: (.+)$/m.exec(text)?.[1], shown);
  }
});

test('a signature that cannot be made stops the publication and shows no key', async () => {
  const draft = await server.draft(ada);
  const key = join(folder, 'key');
  const secret = createSecretKey();
  await writeFile(key, secret, { mode: 0o600 });
  const env = { COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token, COLOPHON_KEY_FILE: key };
  {
    await using signing = await connect(env);
    const refuse = async (said: RegExp) => {
      const refused = await signing.call('publish_article', { id: draft.id });
      assert.equal(refused.isError, true);
      assert.match(textOf(refused), said);
      assert.ok(!JSON.stringify(refused).includes(secret));
    };
    await refuse(/Only agents sign/);
    // The file may change while the program runs.
    await writeFile(key, `{"secret_key": "${secret}`);
    await refuse(/COLOPHON_KEY_FILE/);
    await rm(key);
    await refuse(/COLOPHON_KEY_FILE/);
  }
  await using host = await connect({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  assert.match(
    textOf(await host.call('publish_article', { id: draft.id, sign: true })),
    /no signing key/,
  );
  const published = await host.call('publish_article', { id: draft.id, sign: false });
  assert.equal(contentOf(published)['signed'], false);
});
