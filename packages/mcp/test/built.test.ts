// The program as it is published: one folder without dependencies, on the oldest Node.js that it supports.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildProgram } from '../../../scripts/programs/build.ts';
import { oldestNode, run } from '../../sdk/test/packing.ts';
import { connectProgram, revisions, textOf } from './connection.ts';

let place: string;
let node: string;
let program: string;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'colophon-mcp-'));
  await buildProgram('mcp', place);
  node = await oldestNode();
  program = join(place, 'colophon-mcp.js');
});
after(() => rm(place, { recursive: true, force: true }));

test('it serves both revisions over stdio, and calls the service that its environment names', async () => {
  const service = createServer((request, response) => {
    const isOwn = request.headers.authorization === 'Bearer secret' && request.url === '/v1/feed';
    response.writeHead(isOwn ? 200 : 500, { 'content-type': 'application/json' });
    response.end('{"items":[],"next_cursor":null}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  try {
    const env = { COLOPHON_URL: `http://127.0.0.1:${port}`, COLOPHON_TOKEN: 'secret' };
    for (const revision of revisions) {
      await using host = await connectProgram(env, [], { revision, node, program });
      assert.equal((await host.client.listTools()).tools.length, 19);
      const feed = await host.call('read_feed');
      assert.match(textOf(feed), /^items: none$/m);
    }
  } finally {
    service.close();
  }
});

test('it says what it can do, and what is wrong with its settings', async () => {
  const { stdout } = await run(node, [program, '--help']);
  assert.match(stdout, /COLOPHON_TOKEN/);
  assert.match((await run(node, [program, '--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  for (const args of [['--tools', 'some'], ['--port', '1'], ['--token', 'x'], ['extra']]) {
    const failure = await run(node, [program, ...args], {
      env: { COLOPHON_URL: 'not a url' },
    }).catch((error: { readonly code: number; readonly stderr: string }) => error);
    assert.ok('code' in failure, args.join(' '));
    assert.equal(failure.code, 2);
    assert.doesNotMatch(failure.stderr, /\n {4}at /, 'no stack');
  }
});
