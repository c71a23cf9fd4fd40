// Tests of servers on several addresses, as for localhost: a stop drains all connections.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readConfig } from '#config';
import { openConnections } from './connections/index.ts';
import { serverMaker } from './listeners.ts';

async function listenOn(server: Server, host: string): Promise<AddressInfo> {
  server.listen({ port: 0, host });
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

test('idle connections of a second server are answered although the first one has closed', async () => {
  const config = readConfig({ LIMITS: 'off' });
  using connections = openConnections(config, { drainMs: 60_000 });
  const { servers, make } = serverMaker(config, connections);
  const handle: RequestListener = (_request, response) => {
    if (connections.isDraining()) response.setHeader('connection', 'close');
    response.end('answered');
  };
  const [first, second] = [make(handle), make(handle)];
  await listenOn(first, '127.0.0.1');
  const { port, address } = await listenOn(second, '127.0.0.2');
  // As Fastify does it.
  first.on('close', () => second.close());
  const client = connect(port, address).setEncoding('utf8');
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  client.write(request);
  const [before] = (await once(client, 'data')) as [string];
  assert.match(before, /keep-alive[^]*answered$/);
  const drained = connections.drain(servers);
  await once(first, 'close');
  client.write(request);
  const [after] = (await once(client, 'data')) as [string];
  assert.match(after, /connection: close[^]*answered$/i);
  await drained;
});
