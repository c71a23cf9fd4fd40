// Params that a method does not take are answered as JSON-RPC says, over stdio and HTTP, with what is wrong.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { compileCache } from '../../server/test/compile-cache.ts';
import { serveHttp } from '../src/http.ts';
import { readSettings } from '../src/settings.ts';
import { source } from './connection.ts';
import type { Revision } from './connection.ts';

interface Answer {
  readonly id: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends a request and returns its answer. */
type Ask = (method: string, params?: unknown) => Promise<Answer>;

/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9';
const clientInfo = { name: 'test', version: '1' };
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
/** The envelope of revision 2026-07-28, and that without one. */
const envelopes: Readonly<Record<Revision, object>> = {
  '2025-11-25': {},
  '2026-07-28': {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

async function overStdio(work: (ask: Ask) => Promise<void>): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', COLOPHON_URL: nowhere, ...compileCache };
  const child = spawn(process.execPath, [source], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await work(async (method, params) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
      return JSON.parse(String((await answers.next()).value)) as Answer;
    });
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** That revision repeats the name of a tool in a header. */
function nameIn(params: unknown): { readonly 'mcp-name'?: string } {
  const { name } = Object(params) as { readonly name?: unknown };
  return typeof name === 'string' ? { 'mcp-name': name } : {};
}

async function overHttp(revision: Revision, work: (ask: Ask) => Promise<void>): Promise<void> {
  const settings = readSettings(['--http', '--port', '0'], {});
  assert.ok(settings.http);
  await using http = await serveHttp(settings, settings.http);
  await work(async (method, params) => {
    const response = await fetch(http.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(revision === '2026-07-28'
          ? { 'mcp-protocol-version': revision, 'mcp-method': method, ...nameIn(params) }
          : {}),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as Answer;
  });
}

const cursor = { cursor: 5 };
const aCursor = /^Invalid params: params\.cursor: expected string, received number\.$/;
/** Of both revisions: a method, params that are wrong, and what is said about them. */
const wrong: readonly (readonly [method: string, params: object, said: RegExp])[] = [
  ['tools/list', cursor, aCursor],
  ['tools/call', {}, /^Invalid params: params\.name: expected string, received undefined\.$/],
  ['tools/call', { name: 'check_in', arguments: [1] }, /^Invalid params: params\.arguments: /],
  ['resources/list', cursor, aCursor],
  ['resources/templates/list', cursor, aCursor],
  ['resources/read', { uri: 5 }, /params\.uri: expected string, received number/],
  ['completion/complete', { ref: {}, argument: {} }, /params\.ref\.\w+: .*, or params\.ref\.\w+: /],
  ['prompts/list', cursor, aCursor],
  ['prompts/get', {}, /params\.name: expected string, received undefined/],
];

async function refusesAll(ask: Ask, revision: Revision): Promise<void> {
  for (const [method, params, said] of wrong) {
    const { id, error } = await ask(method, { ...params, ...envelopes[revision] });
    assert.deepEqual([id, error?.code], [1, -32_602], method);
    assert.match(error?.message ?? '', said);
  }
  for (const method of ['nothing/here', 'tasks/get', 'constructor', 'logging/setLevel'])
    assert.equal((await ask(method, envelopes[revision])).error?.code, -32_601, method);
}

async function refusesOpenings(ask: Ask): Promise<void> {
  for (const [params, said] of [
    [undefined, /^Invalid params: params: expected object, received undefined\.$/],
    [{ ...opening, protocolVersion: 5 }, /params\.protocolVersion: expected string/],
    [{ protocolVersion: '2025-11-25' }, /params\.capabilities: .*; params\.clientInfo: /],
  ] as const) {
    const { id, error } = await ask('initialize', params);
    assert.deepEqual([id, error?.code], [1, -32_602], JSON.stringify(params));
    assert.match(error?.message ?? '', said);
  }
}

test('initialize with wrong params says what is wrong with them, and can be sent again', async () => {
  const opens = async (ask: Ask) => {
    await refusesOpenings(ask);
    assert.equal((await ask('initialize', opening)).error, undefined);
  };
  await overStdio(opens);
  await overHttp('2025-11-25', opens);
});

test('every method says which params are wrong', async () => {
  await overStdio(async (ask) => {
    await ask('initialize', opening);
    await refusesAll(ask, '2025-11-25');
    const { error } = await ask('tools/list', [1]);
    assert.match(error?.message ?? '', /params is an object with names, not an array/);
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      assert.equal((await ask(method, {})).error?.code, -32_602, method);
  });
  await overStdio((ask) => refusesAll(ask, '2026-07-28'));
  for (const revision of ['2025-11-25', '2026-07-28'] as const)
    await overHttp(revision, (ask) => refusesAll(ask, revision));
});

test('a service that does not answer is not a fault of the params', async () => {
  await overStdio(async (ask) => {
    await ask('initialize', opening);
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/read', { uri: 'colophon://events' }],
      ['resources/subscribe', { uri: 'colophon://events' }],
    ] as const)
      assert.equal((await ask(method, params)).error?.code, -32_603, method);
  });
});
