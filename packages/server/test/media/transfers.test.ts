// Bytes on their way: headers that are refused, slow and lying senders, many at once, a server that stops.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newId } from '#lib/id';
import { assertProblem, startServer } from '../harness.ts';
import type { Human } from '../harness.ts';
import { aRecord, pngOfLength, put, storedNames } from '../media-files.ts';
import { until } from '../throw-away-database.ts';
import { sendHead, sendUpload } from './sending.ts';
import type { RawAnswer } from './sending.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const limit = 52_428_800;

function assertTold(answer: RawAnswer, status: number, name: string): void {
  assert.equal(answer.status, status, answer.head);
  assert.match(answer.head, /content-type: application\/problem\+json/i);
  assert.match(answer.head, /x-request-id: [\w.~-]{8,64}/i);
  const told = JSON.parse(answer.body) as { readonly type: string };
  assert.equal(told.type.split('/').at(-1), name);
}

async function statusOf(human: Human, id: string): Promise<string> {
  return (await server.ask('GET', `/v1/media/${id}`, { token: human.token })).body.status;
}

const headOf = (human: Human, id: string, ...lines: readonly string[]) => [
  `PUT /v1/media/${id}/content HTTP/1.1`,
  'Host: localhost',
  `Authorization: Bearer ${human.token}`,
  'Connection: close',
  ...lines,
];

test('400 invalid-request: chunked, without a length, and encoded; the record stays pending', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  for (const lines of [
    ['Transfer-Encoding: chunked'],
    [],
    ['Content-Length: 5', 'Content-Encoding: gzip'],
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['Content-Length: +5'],
    ['Content-Length: 5', 'Content-Length: 6'],
  ]) {
    const sending = await sendHead(server, headOf(human, id, ...lines));
    await sending.write('5\r\nhello\r\n0\r\n\r\n');
    assertTold(await sending.answer(), 400, 'invalid-request');
  }
  assert.equal(await statusOf(human, id), 'pending');
});

test('413 payload-too-large on the header alone, before a byte is sent, whatever the record', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  for (const [where, length] of [
    [id, limit + 1],
    [id, 1e12],
    [newId(1), limit + 1],
  ] as const) {
    const sending = await sendHead(server, headOf(human, where, `Content-Length: ${length}`));
    await until('the whole answer is there', () => sending.heard().endsWith('}'));
    sending.breakOff();
    assertTold(await sending.answer(), 413, 'payload-too-large');
  }
  assert.equal(await statusOf(human, id), 'pending');
});

test('413 payload-too-large reaches curl and undici, which send everything first', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  const folder = await mkdtemp(join(tmpdir(), 'colophon-upload-'));
  try {
    const file = join(folder, 'big');
    await writeFile(file, '');
    await truncate(file, limit + 1);
    const url = `${server.baseUrl}/v1/media/${id}/content`;
    const words = ['-sS', '-T', file, '-H', `Authorization: Bearer ${human.token}`, url];
    for (const more of [[], ['-H', 'Expect:']]) {
      const { stdout } = await promisify(execFile)('curl', [...words, ...more]);
      assert.match(stdout, /"type":"[^"]*payload-too-large"/);
    }
    assertProblem(await put(server, human, id, Buffer.alloc(limit + 1)), 'payload-too-large');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Sends a refused upload behind its answer, slowly; answers how the connection broke, undefined where it did not. */
async function sendBehindAnswer(human: Human, id: string, length: number) {
  const port = Number(new URL(server.baseUrl).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = '';
  let fault: string | undefined;
  socket.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')));
  socket.on('error', (error: NodeJS.ErrnoException) => (fault = error.code));
  socket.write([...headOf(human, id, `Content-Length: ${length}`), '', ''].join('\r\n'));
  await until('the whole answer is there', () => heard.endsWith('}'));
  assert.match(heard, /^HTTP\/1.1 413 /);
  const piece = Buffer.alloc(4 * 1024 * 1024);
  for (let left = length; left > 0; left -= piece.length) {
    await setTimeout(5);
    await new Promise<void>((sent) => {
      socket.write(piece.subarray(0, Math.min(left, piece.length)), () => sent());
    });
  }
  socket.end();
  await closed;
  return fault;
}

test('after a refusal the rest is taken, so that the answer is not lost; no more than 64 MiB of it', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  assert.equal(await sendBehindAnswer(human, id, limit + 1), undefined);
  assert.match((await sendBehindAnswer(human, id, 2 * limit)) ?? '', /^(ECONNRESET|EPIPE)$/);
});

test('a refused connection ends when the rest is in, before the answer or behind it', async () => {
  const port = Number(new URL(server.baseUrl).port);
  const body = Buffer.alloc(100_000);
  // A page is compressed first, so that the rest comes before it leaves.
  for (const more of [['Accept: text/html', 'Accept-Encoding: br'], []]) {
    const taken = once(server.app.server?.server ?? assert.fail(), 'connection');
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    const head = ['POST /nowhere HTTP/1.1', 'Host: localhost', `Content-Length: ${body.length}`];
    socket.write(Buffer.concat([Buffer.from([...head, ...more, '', ''].join('\r\n')), body]));
    const [itsSide] = (await taken) as [Socket];
    // Ours stays open.
    await until('the server has closed', () => itsSide.destroyed);
    socket.destroy();
  }
});

test('bytes behind Content-Length are not part of the upload and end the connection', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  const bytes = pngOfLength(5_000);
  const lines = headOf(human, id, `Content-Length: ${bytes.length}`);
  const sending = await sendHead(
    server,
    lines.filter((line) => line !== 'Connection: close'),
  );
  await sending.write(Buffer.concat([bytes, Buffer.from('and more of it\r\n\r\n')]));
  const answer = await sending.answer();
  assert.equal(answer.status, 200);
  const read = await server.ask('GET', `/v1/media/${id}`, { token: human.token });
  assert.equal(read.body.byte_size, 5_000);
});

test('400 invalid-request for a sender slower than 1 KiB a second; the record stays pending', async () => {
  await using hasty = await startServer({ ROLE: 'web' }, { uploadWindowMs: 1_000 });
  const human = await hasty.register();
  const { id } = await aRecord(hasty, human, 'image');
  const sending = await sendUpload(hasty, human, id, 100_000);
  const drip = setInterval(() => void sending.write('x'), 100);
  const answer = await sending.answer().finally(() => clearInterval(drip));
  assertTold(answer, 400, 'invalid-request');
  const read = await hasty.ask('GET', `/v1/media/${id}`, { token: human.token });
  assert.equal(read.body.status, 'pending');
  assert.deepEqual(await storedNames(hasty, id), []);
});

test('fifty slow uploads occupy no database connection and delay no one', async () => {
  // Each waits for its turn, on a busy machine for longer than a sender may be silent.
  await using server = await startServer({}, { uploadWindowMs: 900_000 });
  const human = await server.register();
  const article = await server.published(human);
  const bytes = pngOfLength(400_000);
  const sendings = [];
  for (let count = 0; count < 50; count += 1) {
    const { id } = await aRecord(server, human, 'image');
    const sending = await sendUpload(server, human, id, bytes.length);
    await sending.write(bytes.subarray(0, 200_000));
    sendings.push({ sending, id });
  }
  await until('nothing but the pipeline asks the database', () => {
    const { writersBusy, writersWaiting } = server.db.counts();
    return writersBusy + writersWaiting === 0;
  });
  for (let at = 200_000; at < bytes.length; at += 20_000) {
    // All fifty wait for us now: what they occupied would be missing for others.
    assert.equal((await server.ask('GET', `/v1/articles/${article.id}`)).status, 200);
    await server.draft(human);
    for (const { sending } of sendings) await sending.write(bytes.subarray(at, at + 20_000));
  }
  for (const { sending } of sendings) assert.equal((await sending.answer()).status, 200);
});

test('429 rate-limited for more than 1,000 MiB of an account at once, until one of the uploads ends', async () => {
  // They wait for longer than a slow sender may.
  await using limited = await startServer({ LIMITS: 'default' }, { uploadWindowMs: 900_000 });
  const [human, other] = [await limited.register(), await limited.register()];
  const { id } = await aRecord(limited, human, 'image');
  const running = await Promise.all(
    Array.from({ length: 21 }, () => sendUpload(limited, human, id, limit)),
  );
  const refused = () => running.filter((one) => one.heard() !== '');
  await until('one of them is refused', () => refused().length > 0);
  assertTold(await (refused()[0] as (typeof running)[number]).answer(), 429, 'rate-limited');
  const file = pngOfLength(7_000_000);
  const next = await aRecord(limited, human, 'image');
  const answer = await put(limited, human, next.id, file);
  assertProblem(answer, 'rate-limited');
  assert.equal(answer.headers.get('retry-after'), '2');
  const theirs = await aRecord(limited, other, 'image');
  assert.equal((await put(limited, other, theirs.id, file)).status, 200);
  assert.equal(refused().length, 1);
  for (const one of running) one.breakOff();
  await until('the bytes are accepted', async () => {
    return (await put(limited, human, next.id, file)).status === 200;
  });
});

test('503 unavailable when the server stops in the middle; the record stays pending', async () => {
  const stopping = await startServer({ ROLE: 'web' }, { bodiesMs: 300 });
  const human = await stopping.register();
  const { id } = await aRecord(stopping, human, 'image');
  const sending = await sendUpload(stopping, human, id, 10_000_000);
  const drip = setInterval(() => void sending.write(Buffer.alloc(5_000)), 100);
  const answered = sending.answer().finally(() => clearInterval(drip));
  await sending.write(Buffer.alloc(100_000));
  const aside = join(stopping.services.config.dataDir, 'media', 'uploading');
  await until('the bytes are being written', async () => {
    return (await readdir(aside).catch(() => [])).length > 0;
  });
  await Promise.all([
    stopping[Symbol.asyncDispose](),
    answered.then((answer) => assertTold(answer, 503, 'unavailable')),
  ]);
});
