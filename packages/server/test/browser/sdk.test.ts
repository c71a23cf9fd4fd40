// The published client in a browser: on a page of another origin, and in a worker.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildSdk } from '../../../../scripts/sdk/build.ts';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { givenFor, journey, outcomeFor } from '../sdk-journey.ts';
import { noBrowser, openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';

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
    const given = await givenFor(server);
    await using site = await startPages();
    const page = await browser.newPage();
    await page.goto(site.url);
    const outcome: unknown = await page.evaluate(
      `(async () => { const given = ${JSON.stringify(given)}; return ${code}; })()`,
    );
    assert.deepEqual(outcome, outcomeFor(given));
    await page.close();
  });
