// What strangers send to the program over HTTP: an answer that says what is wrong, and no line in its log.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { compileCache } from '../../server/test/compile-cache.ts';
import { until } from '../../server/test/throw-away-database.ts';
import { source } from './connection.ts';

let program: ReturnType<typeof startProgram>;
let log = '';
let url: URL;

function startProgram() {
  // No request of this test is one for the service.
  const env = { PATH: process.env['PATH'], ...compileCache, COLOPHON_URL: 'http://127.0.0.1:9' };
  return spawn(process.execPath, [source, '--http', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

before(async () => {
  program = startProgram();
  program.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const early = once(program, 'exit').then(() => Promise.reject(new Error(log)));
  while (!log.includes('\n')) await Promise.race([once(program.stderr, 'data'), early]);
  early.catch(() => undefined);
  url = new URL(/^Listening at (\S+)\n/.exec(log)?.[1] ?? '');
});
after(async () => {
  const ended = once(program, 'exit');
  program.kill();
  await ended;
});

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const modern = { ...json, 'mcp-protocol-version': '2026-07-28' };
const listening = { ...modern, 'mcp-method': 'subscriptions/listen' };

/** Sends bytes as they are, and returns what is answered until the end of the connection. */
async function sendRaw(lines: readonly string[]): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  return Buffer.concat(await socket.toArray()).toString();
}

test('a request that is refused leaves no line in the log', async () => {
  const logged = log;
  const requests = [
    [json, '{'],
    [json, '[]'],
    [json, '5'],
    [{ ...json, 'content-type': 'text/plain' }, '{}'],
    [{ ...modern, 'mcp-method': 'tools/list' }, '5'],
    [{ ...modern, 'mcp-method': 'tools/list' }, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    [listening, '5'],
    [listening, '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":5}'],
  ] as const;
  for (const [headers, body] of requests) {
    const answer = await fetch(url, { method: 'POST', headers, body });
    const text = await answer.text();
    assert.ok(answer.status >= 400 && answer.status < 500, `${body}: ${answer.status} ${text}`);
    assert.ok(JSON.parse(text).error.message.length > 10, text);
  }
  for (const lines of [
    ['POST /mcp HTTP/1.1', 'Host: a b'],
    ['GET /mcp HTTP/1.1', 'Host: a:b@127.0.0.1'],
    ['TRACE /mcp HTTP/1.1', 'Host: 127.0.0.1'],
  ])
    assert.match(await sendRaw(lines), /^HTTP\/1\.1 400 [^]*is not accepted/);
  const left = connect(Number(url.port), url.hostname);
  left.write(
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  );
  // The program has begun to read.
  await once(left, 'data');
  left.destroy();
  // A later request has been answered, so that the earlier ones have been treated too.
  assert.equal((await fetch(url, { method: 'PUT' })).status, 405);
  assert.equal(log, logged);
});

/** A request whose answer has 40 KB. */
function longAnswer(): string {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const head = [`POST /mcp HTTP/1.1`, `Host: ${url.host}`, `Accept: ${json.accept}`];
  const lines = [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

test('a client that closes its side after whole requests is answered', async () => {
  const socket = connect(Number(url.port), url.hostname);
  socket.end(longAnswer().repeat(8));
  const answers = Buffer.concat(await socket.toArray()).toString();
  assert.equal(answers.match(/HTTP\/1\.1 200/g)?.length, 8);
});

test('a connection that sends requests and reads no answer is ended', async () => {
  const socket = connect(Number(url.port), url.hostname).pause();
  socket.on('error', () => undefined);
  socket.write(longAnswer().repeat(400));
  // A client that does not read learns of the end when it writes.
  await until('the connection is ended', () => {
    socket.write(longAnswer());
    return socket.destroyed;
  });
});

test('a session that has ended is answered with what to do', async () => {
  const headers = { ...json, 'mcp-session-id': 'ended' };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const answer = await fetch(url, { method: 'POST', headers, body });
  assert.equal(answer.status, 404);
  const { error } = (await answer.json()) as { error: { message: string } };
  assert.match(error.message, /^Session not found: .* Send initialize without Mcp-Session-Id/);
});

test('the absolute form of an address is accepted where it names the host of the header', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const ask = (target: string) =>
    sendRaw([
      `POST ${target} HTTP/1.1`,
      `Host: ${url.host}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    ]);
  for (const target of [url.href, `HTTP://${url.host}/mcp`])
    assert.match(await ask(target), /^HTTP\/1\.1 200 [^]*"result":\{\}/, target);
  assert.match(await ask(`http://${url.host}`), /^HTTP\/1\.1 404 [^]*The tool host is at \/mcp/);
  assert.match(await ask(`http://${url.host}/mcp?a=1`), /^HTTP\/1\.1 400 [^]*Send no query/);
  for (const target of ['http://colophon.example/mcp', `http://a@${url.host}/mcp`, '*'])
    assert.match(await ask(target), /^HTTP\/1\.1 400 [^]*is not accepted/, target);
});
