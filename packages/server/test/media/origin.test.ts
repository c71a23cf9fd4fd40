// MEDIA_BASE_URL: media on a host of their own, and nothing else there.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '../harness.ts';
import { pngOf, upload } from '../media-files.ts';
import { getRaw } from '../raw-request.ts';
import { sendHead } from './sending.ts';

const server = await startServer({ MEDIA_BASE_URL: 'https://media.example.org/files' });
after(() => server[Symbol.asyncDispose]());

const ask = async (host: string, path: string) => {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
  return (await sendHead(server, lines)).answer();
};

/** All of them are the host of MEDIA_BASE_URL. */
const spellings = [
  'media.example.org',
  'MEDIA.example.org',
  'media.example.org:443',
  'media.example.org:',
  'media.example.org.',
  'media.example.org.:443',
];

test('records name the origin, and it serves the bytes below its path', async () => {
  const human = await server.register();
  const { body } = await upload(server, human, 'image', pngOf(2, 2));
  assert.equal(body.url, `https://media.example.org/files/${body.id}`);
  for (const host of spellings) {
    const { status, head } = await ask(host, `/files/${body.id}`);
    assert.equal(status, 200);
    assert.match(head, /content-type: image\/png/i);
  }
  assert.equal((await getRaw(server, `/media/${body.id}`)).status, 200);
});

test('404 for everything else on that host: no API, no pages', async () => {
  const { body } = await upload(server, await server.register(), 'image', pngOf(2, 3));
  const own = [`/media/${body.id}`, `/${body.id}`, `/v1/media/${body.id}/content`];
  for (const path of ['/v1/meta', '/healthz', '/', '/files', `/files/${body.id}/content`, ...own])
    for (const host of spellings) assert.equal((await ask(host, path)).status, 404, host + path);
  assert.equal((await getRaw(server, '/v1/meta')).status, 200);
});
