// Requests to witnesses: whom they may reach, that they follow nothing, and that they end.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { askWitness, isPublicAddress } from './ask-witness.ts';

async function serveAnswers(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const asked = { body: 'old 0\n\n', timeoutMs: 60_000, allowsPrivate: true } as const;

test('public addresses, and those that are not', () => {
  for (const address of ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])
    assert.ok(isPublicAddress(address), address);
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'localhost',
  ])
    assert.ok(!isPublicAddress(address), address);
});

test('a loopback address and a name of one are refused before anything is sent', async () => {
  let requests = 0;
  await using server = await serveAnswers((_, answer) => {
    requests += 1;
    answer.end();
  });
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1'])
    await assert.rejects(
      askWitness({ ...asked, url: `http://${host}:${server.port}/`, allowsPrivate: false }),
      /is a loopback or private address: set LOG_WITNESS_PRIVATE=allow/,
    );
  assert.equal(requests, 0);
});

test('the answer is returned whatever its status, and a redirect is not followed', async () => {
  const paths: string[] = [];
  await using server = await serveAnswers((request, answer) => {
    paths.push(`${request.method} ${request.url}`);
    answer.writeHead(307, { location: '/elsewhere', 'content-type': 'text/plain' }).end('moved');
  });
  const answer = await askWitness({ ...asked, url: `http://127.0.0.1:${server.port}/add` });
  assert.deepEqual(answer, { status: 307, contentType: 'text/plain', text: 'moved' });
  assert.deepEqual(paths, ['POST /add']);
});

test('an answer that is too long, and one that never comes or never ends', async () => {
  await using long = await serveAnswers((_, answer) => answer.end('x'.repeat(100_000)));
  await assert.rejects(
    askWitness({ ...asked, url: `http://127.0.0.1:${long.port}/` }),
    /The answer of the witness is too long/,
  );
  for (const begin of [false, true]) {
    await using silent = await serveAnswers((_, answer) => {
      if (begin) answer.write('x');
    });
    const began = performance.now();
    await assert.rejects(
      askWitness({ ...asked, url: `http://127.0.0.1:${silent.port}/`, timeoutMs: 200 }),
    );
    assert.ok(performance.now() - began < 30_000);
  }
});
