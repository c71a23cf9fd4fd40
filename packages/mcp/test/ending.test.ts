// What ends with a connection: the watch of events, and the process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { serveHttp } from '../src/http.ts';
import { readSettings } from '../src/settings.ts';
import { compileCache } from '../../server/test/compile-cache.ts';
import { connect, connectHttp, revisions, source } from './connection.ts';
import type { Connection } from './connection.ts';

/** A service without news: it answers no poll. `polled` and `left` settle when one begins, and when it ends. */
async function quietService() {
  const polled = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v1/events')) {
      polled.resolve();
      response.on('close', () => left.resolve());
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"events":{"items":[],"next_cursor":null}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    polled: polled.promise,
    left: left.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function watch({ client }: Connection, isOld: boolean): Promise<void> {
  const uri = 'colophon://events';
  if (isOld) await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
}

for (const revision of revisions) {
  const isOld = revision === '2025-11-25';
  test(`${revision}: a connection that ends stops its watch of events, over stdio and HTTP`, async () => {
    await using service = await quietService();
    const host = await connect({ COLOPHON_URL: service.url }, [], revision);
    await watch(host, isOld);
    await service.polled;
    await host[Symbol.asyncDispose]();
    await service.left;

    await using other = await quietService();
    const settings = readSettings(['--http', '--port', '0'], { COLOPHON_URL: other.url });
    assert.ok(settings.http);
    await using http = await serveHttp(settings, settings.http);
    const remote = await connectHttp(http.url, 'secret', revision);
    await watch(remote, isOld);
    await other.polled;
    const { transport } = remote.client;
    assert.ok(transport instanceof StreamableHTTPClientTransport);
    if (isOld) await transport.terminateSession();
    await remote[Symbol.asyncDispose]();
    await other.left;
  });

  test(`${revision}: an unsubscription stops the watch`, async () => {
    await using service = await quietService();
    await using host = await connect({ COLOPHON_URL: service.url }, [], revision);
    const uri = 'colophon://events';
    if (isOld) await host.client.subscribeResource({ uri });
    const listening = isOld
      ? undefined
      : await host.client.listen({ resourceSubscriptions: [uri] });
    await service.polled;
    if (listening === undefined) await host.client.unsubscribeResource({ uri });
    else await listening.close();
    await service.left;
  });
}

test('the process ends with its standard input, though a call is in flight', async () => {
  await using service = await quietService();
  const env = { PATH: process.env['PATH'] ?? '', ...compileCache, COLOPHON_URL: service.url };
  const child = spawn(process.execPath, [source], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const say = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  say({ id: 1, method: 'initialize', params });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name: 'list_events', arguments: { wait: 25 } } });
  await service.polled;
  child.stdin.end();
  assert.deepEqual(await ended, [0, null]);
});
