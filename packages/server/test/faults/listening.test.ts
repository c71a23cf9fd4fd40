// Where a service with its default settings listens, under which name, and what other names of the machine answer.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');
const addresses = ['127.0.0.1', ...(hasIPv6 ? ['::1'] : [])];
const timeout = 60_000;

let place: Place;
let server: ServerProcess;

before(async () => {
  place = await makePlace();
  server = place.start();
  await server.ready(place.baseUrl);
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/** Asks this address for a path under a name of its own choosing. */
function ask(address: string, path: string, host: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: address, port: place.port, path, method, headers: { host } };
    const sent = request({ ...options, agent: false }, (message) => {
      let text = '';
      message.setEncoding('utf8').on('data', (part: string) => (text += part));
      message.on('end', () =>
        resolve({ status: message.statusCode ?? 0, location: message.headers.location, text }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('it listens on both addresses of localhost, and says so', { timeout }, async () => {
  const line = () => server.log.find(({ msg }) => msg?.includes('serves on'))?.msg;
  await until('the address is printed', () => line() !== undefined);
  const where = addresses.map((one) =>
    one.includes(':') ? `[${one}]:${place.port}` : `${one}:${place.port}`,
  );
  assert.equal(
    line(),
    `Colophon serves on http://localhost:${place.port} (listening on ${where.join(' and ')})`,
  );
  for (const address of addresses) {
    const { status, text } = await ask(address, '/v1/meta', `localhost:${place.port}`);
    assert.equal(status, 200);
    assert.equal(
      (JSON.parse(text) as { base_url: string }).base_url,
      `http://localhost:${place.port}`,
    );
  }
});

test(
  'a page under another loopback name leads to the one of BASE_URL, with its query',
  { timeout },
  async () => {
    for (const name of ['127.0.0.1', '127.0.0.2', '[::1]']) {
      for (const path of ['/', '/search?q=a%20b', '/topics']) {
        for (const method of ['GET', 'HEAD']) {
          const { status, location } = await ask(
            '127.0.0.1',
            path,
            `${name}:${place.port}`,
            method,
          );
          assert.equal(status, 307, `${method} ${name}${path}`);
          assert.equal(location, `http://localhost:${place.port}${path}`);
        }
      }
    }
  },
);

test(
  'pages under the name of BASE_URL, through a forwarded port, and under public names stay',
  { timeout },
  async () => {
    const names = [
      `localhost:${place.port}`,
      `LOCALHOST:${place.port}`,
      'localhost:9999',
      '127.0.0.1:9999',
      `colophon.example:${place.port}`,
    ];
    for (const name of names) assert.equal((await ask('127.0.0.1', '/', name)).status, 200, name);
  },
);

test('the API, feeds and probes answer under all names', { timeout }, async () => {
  for (const path of ['/v1/articles', '/v1/openapi.json', '/feed.atom', '/healthz', '/llms.txt'])
    assert.equal((await ask('127.0.0.1', path, `127.0.0.1:${place.port}`)).status, 200, path);
});

test('a stop lets a request on the second address finish and frees both', { timeout }, async () => {
  const address = addresses.at(-1) ?? '127.0.0.1';
  const body = JSON.stringify({ username: 'late-person' });
  const socket = connect(place.port, address);
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  const head = [
    'POST /v1/humans HTTP/1.1',
    `Host: localhost:${place.port}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  // It has arrived when a later one on a connection of its own is answered.
  assert.equal((await ask(address, '/healthz', `localhost:${place.port}`)).status, 200);
  server.kill('SIGTERM');
  await until('it stops', () => server.log.some(({ msg }) => msg === 'The server stops.'));
  socket.write(body.slice(5));
  assert.equal((await server.ended).code, 0, server.complaint());
  assert.match(answer, /^HTTP\/1\.1 201 /);
  await assert.rejects(ask(address, '/healthz', 'localhost'), { code: 'ECONNREFUSED' });
});
