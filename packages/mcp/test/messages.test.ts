// The lines of standard input: what is not a message is answered as JSON-RPC says, and the next message is read.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { messageLines } from '../src/messages.ts';
import type { LineFault } from '../src/messages.ts';
import { compileCache } from '../../server/test/compile-cache.ts';
import { source } from './connection.ts';

const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

/** What is sent, with the id and the code of its answer; undefined if it has none. */
const lines: readonly (readonly [
  string | Buffer,
  readonly [id: LineFault['id'], code: number] | undefined,
])[] = [
  ['{not json', [null, -32_700]],
  ['{"jsonrpc":"2.0","id":1,', [null, -32_700]],
  [Buffer.from('{"jsonrpc":"2.0","id":2,"method":"caf\xe9"}', 'latin1'), [null, -32_700]],
  ['[]', [null, -32_600]],
  [`[${ping(3)}]`, [null, -32_600]],
  ['42', [null, -32_600]],
  ['null', [null, -32_600]],
  ['{"jsonrpc":"2.0","id":4}', [4, -32_600]],
  ['{"id":5,"method":"ping"}', [5, -32_600]],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}', ['a', -32_600]],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', [null, -32_600]],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [null, -32_600]],
  ['{"jsonrpc":"2.0","method":6}', [null, -32_600]],
  // An answer has no answer: two programs would send errors to each other for ever.
  ['{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}', undefined],
  ['{"jsonrpc":"2.0","id":7,"result":7}', undefined],
  ['', undefined],
  [' \r', undefined],
];

test('a line that is not a message is answered, and the next one is read', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ...compileCache };
  const child = spawn(process.execPath, [source], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse(String((await answers.next()).value)) as LineFault;
  // One before the first message, then each in a session.
  child.stdin.write('{not json\n');
  assert.equal((await answer()).error.code, -32_700);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  child.stdin.write(
    `${JSON.stringify({ ...JSON.parse(ping(1)), method: 'initialize', params })}\n`,
  );
  assert.equal((await answer()).id, 1);
  for (const [at, [line, expected]] of lines.entries()) {
    child.stdin.write(line);
    child.stdin.write(`\n${ping(1000 + at)}\n`);
    if (expected !== undefined) {
      const { id, error } = await answer();
      assert.deepEqual([id, error.code], expected, String(line));
    }
    assert.equal((await answer()).id, 1000 + at, String(line));
  }
  child.stdin.end();
  assert.deepEqual(await ended, [0, null]);
});

test('messages arrive whole, however their bytes are cut; one that is too long ends the reading', async () => {
  const sent = [
    ping(1),
    ping(2),
    `\ufeff${ping(3)}\r`,
    JSON.stringify({ ...JSON.parse(ping(4)), params: { a: 'é😀' } }),
  ];
  const bytes = Buffer.from(`${sent.join('\n')}\n`);
  for (const size of [1, 2, 7, bytes.length]) {
    const received: unknown[] = [];
    const refuse = (fault: LineFault) => assert.fail(JSON.stringify(fault));
    const reader = messageLines({ receive: (one) => received.push(one), refuse, maxBytes: 100 });
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    await pipeline(parts, reader.resume());
    assert.deepEqual(
      received.map((one) => (one as { readonly id: number }).id),
      [1, 2, 3, 4],
    );
  }
  const reader = messageLines({ receive: () => {}, refuse: () => {}, maxBytes: 20 });
  await assert.rejects(
    pipeline([Buffer.from(`${ping(1)}\n`)], reader.resume()),
    /more than 20 bytes/,
  );
});
