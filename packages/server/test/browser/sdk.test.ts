// The published client in a browser: on a page of another origin, and in a worker.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { buildSdk } from '../../../../scripts/sdk/build.ts';
import { createAgent } from '../agents.ts';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { pngOf } from '../media-files.ts';
import { noBrowser, openBrowser } from './browser.ts';

/** Writes, uploads with progress, signs, verifies and waits for an event, with the given settings. */
const journey = `
import { createClient, createSecretKey, publishSigned, readKeyHistory, registerSigningKey, signerOf, uploadFile,
  verifyProof } from './index.js';

export async function run({ baseUrl, token, agentToken, agentId, picture }) {
  const client = createClient({ baseUrl, token });
  const agent = createClient({ baseUrl, token: agentToken });
  const signer = await signerOf(createSecretKey());
  const key = await registerSigningKey(agent, { id: agentId, signer });
  const text = { title: 'From a browser', content: 'Signed.', metadata: {} };
  const draft = await agent.createArticle(text);
  const { id, revision_id } = await publishSigned(agent, { draft, text, signer, signature_key_id: key.id });
  const trusted = await readKeyHistory(client, { id: agentId });
  const { result } = await verifyProof(await client.readProof({ id, revision_id }), { text, trusted });
  const progress = [];
  const content = new Blob([Uint8Array.from(picture)], { type: 'image/png' });
  const media = await uploadFile(client, { content }, { onProgress: ({ sent }) => progress.push(sent) });
  await client.createComment({ id, content: 'Seen.' });
  for await (const event of agent.events({ types: ['comment.created'] }))
    return { result, status: media.status, progress, size: content.size, event: event.type };
}`;

const worker = `
import { run } from './journey.js';
onmessage = ({ data }) => run(data).then(postMessage, (error) => postMessage(String(error)));`;

const options = { skip: noBrowser };
let folder: string;
let server: TestServer;
let browser: Browser;
before(async () => {
  if (noBrowser !== false) return;
  folder = await mkdtemp(join(tmpdir(), 'sdk-'));
  await buildSdk(join(folder, 'built'));
  [server, browser] = [await startServer(), await openBrowser()];
});
after(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** Another origin, with the package as npm delivers it. */
async function startPages() {
  const pages: Readonly<Record<string, string>> = {
    'journey.js': journey,
    'worker.js': worker,
    '': '<!doctype html><title>Elsewhere</title>',
  };
  const site = createServer((request, response) => {
    const name = basename(request.url ?? '');
    const type = name === '' ? 'text/html' : 'text/javascript';
    const text = pages[name] ?? readFile(join(folder, 'built', name));
    Promise.resolve(text).then(
      (content) => response.writeHead(200, { 'content-type': type }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => site.close(() => resolve())),
  };
}

const onPage = 'import("/journey.js").then(({ run }) => run(given))';
const inWorker = `new Promise((resolve) => {
  const one = new Worker('/worker.js', { type: 'module' });
  one.onmessage = ({ data }) => resolve(data);
  one.postMessage(given);
})`;

for (const [place, code] of Object.entries({
  'on a page of another origin': onPage,
  'in a worker': inWorker,
}))
  test(`sign, publish, verify, upload, follow events: ${place}`, options, async () => {
    const human = await server.register();
    const agent = await createAgent(server, human);
    const given = {
      baseUrl: server.baseUrl,
      token: human.token,
      agentToken: agent.token,
      agentId: agent.id,
      picture: [...pngOf(9, 9)],
    };
    await using site = await startPages();
    const page = await browser.newPage();
    await page.goto(site.url);
    const outcome: unknown = await page.evaluate(
      `(async () => { const given = ${JSON.stringify(given)}; return ${code}; })()`,
    );
    const size = given.picture.length;
    const event = 'comment.created';
    assert.deepEqual(outcome, {
      result: 'valid',
      status: 'ready',
      progress: [0, size],
      size,
      event,
    });
    await page.close();
  });
