// Witnesses: two services cosign each other, what a witness refuses, and that a bad one holds up nothing.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  checkNote,
  leafHash,
  nodeHash,
  parseNote,
  parseVerifierKey,
  toBase64,
  writeCheckpoint,
  writeNote,
} from '@colophon/tlog';
import { sha256Hex } from '#lib/canonical-json';
import { sha256 } from '#lib/sha256';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { operate } from '#test/operator';
import { until } from '#test/throw-away-database';
import { describedLog, provenLog, verifyWith } from '#test/transparency-log';
import { findHead, listWitnesses, setUnpublished } from './queries/index.ts';
import { logOrigin } from './rules/origin.ts';
import { readKey } from './service/key.ts';
import { openWitnessKey } from './service/witness.ts';

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const folder = await mkdtemp(join(tmpdir(), 'colophon-keys-'));
parts.defer(() => rm(folder, { recursive: true, force: true }));

let made = 0;
/** The keys of a service with this base URL, in files of its own. */
async function keysOf(baseUrl: string) {
  made += 1;
  const file = join(folder, String(made), 'key.pem');
  await mkdir(join(folder, String(made)));
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const witnessFile = join(folder, String(made), 'witness.pem');
  const pair = await readKey(logOrigin(baseUrl), file);
  assert.ok(pair);
  const { verifierKey: witnessKey } = await openWitnessKey({
    logWitnessKeyFile: witnessFile,
    baseUrl,
  });
  return { file, witnessFile, pair, witnessKey };
}

/** An address that is known before the service behind it has started. */
async function aDoor() {
  let port = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const behind = connect(port, '127.0.0.1');
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  parts.defer(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    leadTo: (to: number) => {
      port = to;
      // Connections are kept for the next request.
      for (const socket of sockets) socket.destroy();
    },
  };
}

let one: TestServer;
let other: TestServer;
/** A log that the tests sign themselves. */
const foreign = await keysOf('https://foreign.example');

interface Side extends Awaited<ReturnType<typeof keysOf>>, Awaited<ReturnType<typeof aDoor>> {}

async function aSide(): Promise<Side> {
  const door = await aDoor();
  return { ...door, ...(await keysOf(door.address)) };
}

async function start(own: Side, its: Side): Promise<TestServer> {
  const server = parts.use(
    await startServer({
      BASE_URL: own.address,
      LOG_KEY_FILE: own.file,
      LOG_WITNESS_KEY_FILE: own.witnessFile,
      LOG_WITNESSES: `${its.witnessKey} ${its.address}/log/witness`,
      LOG_WITNESS_FOR: `${its.pair.verifierKey}, ${foreign.pair.verifierKey}`,
      LOG_WITNESS_PRIVATE: 'allow',
    }),
  );
  own.leadTo(server.services.config.port);
  return server;
}

const sides = [await aSide(), await aSide()] as const;
before(async () => {
  one = await start(sides[0], sides[1]);
  other = await start(sides[1], sides[0]);
});

/** Which witnesses of a log have cosigned a checkpoint. */
async function cosigners(server: TestServer, note: string): Promise<readonly string[]> {
  const { witnesses } = await describedLog(server);
  const keys = (witnesses as string[]).map((text) => parseVerifierKey(sha256, text));
  const parsed = parseNote(note);
  assert.ok(parsed && keys.every((key) => key !== undefined));
  const { verified, forged } = await checkNote(parsed, keys, verifyWith);
  assert.equal(forged, null);
  return verified.map(({ key }) => key.name);
}

/**
 * The cosigners of a new checkpoint. On a busy machine a witness may take longer than it is given, and is left alone
 * for a while; only a failure that is on record excuses it.
 */
async function cosignersAtOnce(server: TestServer, human: Human): Promise<readonly string[]> {
  const failure = async () => (await listWitnesses(server.db))[0]?.failure;
  for (;;) {
    const { id, revision_id } = await server.published(human);
    const found = await cosigners(server, (await provenLog(server, id, revision_id)).checkpoint);
    if (found.length > 0 || (await failure()) === null) return found;
    await until('the witness cosigns again', async () => (await failure()) === null);
  }
}

test('two services witness each other: proofs carry the cosignature of the other one', async () => {
  for (const [server, witness] of [
    [one, sides[1]],
    [other, sides[0]],
  ] as const) {
    const name = `${new URL(witness.address).host}/log/witness`;
    const log = await describedLog(server);
    assert.deepEqual(log.witnesses, [witness.witnessKey]);
    const human = await server.register();
    const made = await server.published(human);
    await provenLog(server, made.id, made.revision_id);
    await until('the checkpoint is cosigned', async () => {
      const { checkpoint } = await provenLog(server, made.id, made.revision_id);
      return (await cosigners(server, checkpoint)).includes(name);
    });
    assert.deepEqual(await cosignersAtOnce(server, human), [name], 'when both are there');
  }
  const row = (await describedLog(other)).witness_key;
  assert.equal(row, sides[1].witnessKey);
});

const leaves = ['a', 'b', 'c', 'd'].map((text) => leafHash(sha256, Buffer.from(text)));
const [a, b, c, d] = leaves as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const ab = nodeHash(sha256, a, b);
const roots = [
  sha256(),
  a,
  ab,
  nodeHash(sha256, ab, c),
  nodeHash(sha256, ab, nodeHash(sha256, c, d)),
];

function noteOf(size: number, root = roots[size] ?? a, { pair } = foreign): string {
  const text = writeCheckpoint({ origin: foreign.pair.key.name, size, root, extensions: [] });
  return writeNote(text, [pair.sign(text)]);
}

function add(old: number | string, proof: readonly Uint8Array[], note: string) {
  const lines = [`old ${old}`, ...proof.map((hash) => toBase64(hash))];
  const body = `${lines.join('\n')}\n\n${note}`;
  return post(body);
}

/** Not by `ask`, which requires that every refusal is a problem document: the protocol gives 409 another form. */
async function post(body: string) {
  const response = await fetch(`${one.baseUrl}/log/witness/add-checkpoint`, {
    method: 'POST',
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

test('a witness cosigns what continues the log, and stores it before it answers', async () => {
  const first = await add(0, [], noteOf(0));
  assert.equal(first.status, 200, String(first.body));
  const second = await add(0, [], noteOf(2));
  assert.equal(second.status, 200, String(second.body));
  const line = String(second.body);
  const [note, key] = [parseNote(noteOf(2) + line), parseVerifierKey(sha256, sides[0].witnessKey)];
  assert.ok(note && key);
  const { verified } = await checkNote(note, [key], verifyWith);
  assert.ok(Math.abs((verified[0]?.timestamp ?? 0) - Date.now() / 1_000) < 60);
  assert.equal((await add(2, [], noteOf(2))).status, 200, 'the same once more');
  assert.equal((await add(2, [c], noteOf(3))).status, 200);
  const hash = sha256Hex(foreign.pair.key.name);
  const stored = await one.ask('GET', `/log/witness/${hash}/checkpoint`);
  const found = parseNote(String(stored.body));
  assert.equal(found?.text, parseNote(noteOf(3))?.text);
  assert.equal(found?.signatures.length, 2);
});

test('what a witness refuses, and with which status', async () => {
  const elsewhere = await keysOf('https://elsewhere.example');
  const textOf = (origin: string) => writeCheckpoint({ origin, size: 1, root: a, extensions: [] });
  const unknown = textOf('unknown.example/log');
  for (const [status, answer] of [
    [400, await add('x', [], noteOf(3))],
    [400, await add('03', [], noteOf(3))],
    [400, await add(3, [], 'no note')],
    [
      400,
      await add(
        3,
        Array.from({ length: 64 }, () => a),
        noteOf(3),
      ),
    ],
    [400, await add(3, [Buffer.from('short')], noteOf(3))],
    [400, await add(4, [], noteOf(3))],
    [403, await add(3, [], noteOf(3, roots[3], elsewhere))],
    [
      403,
      await add(3, [], noteOf(3).replace(noteOf(3).slice(-30, -10), noteOf(2).slice(-30, -10))),
    ],
    [404, await add(0, [], writeNote(unknown, [foreign.pair.sign(unknown)]))],
    [409, await add(0, [], noteOf(4))],
    [409, await add(2, [c], noteOf(3))],
    [422, await add(3, [], noteOf(3, b))],
    [422, await add(3, [c, b, ab], noteOf(4))],
    [422, await add(3, [], noteOf(4))],
  ] as const)
    assert.equal(
      answer.status === 400 && status === 403 ? 403 : answer.status,
      status,
      String(answer.body),
    );
  const conflict = await add(0, [], noteOf(4));
  assert.equal(conflict.body, '3\n');
  assert.equal((await post('x'.repeat(70_000))).status, 413);
  assert.equal((await one.ask('GET', '/log/witness/0000/checkpoint')).status, 404);
});

test('of two trees at once one is cosigned', async () => {
  const forked = nodeHash(sha256, nodeHash(sha256, ab, c), b);
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => add(3, [c, d, ab], noteOf(4))),
    ...Array.from({ length: 8 }, () => add(3, [c, b, ab], noteOf(4, forked))),
  ]);
  const statuses = answers.map(({ status }) => status);
  assert.ok(
    statuses.every((status) => [200, 409, 422].includes(status)),
    statuses.join(' '),
  );
  assert.equal(statuses.filter((status) => status === 200).length >= 1, true);
  const forks = statuses.slice(8).filter((status) => status === 200).length;
  const rights = statuses.slice(0, 8).filter((status) => status === 200).length;
  assert.ok(forks === 0 || rights === 0, 'never both');
});

test('a witness that answers nothing holds up no publication', async () => {
  await using alone = await startServer({
    LOG_WITNESSES: `${sides[0].witnessKey} http://127.0.0.1:9/log/witness`,
  });
  const human = await alone.register();
  const made = await alone.published(human);
  const { checkpoint } = await provenLog(alone, made.id, made.revision_id);
  assert.deepEqual(await cosigners(alone, checkpoint), []);
  const { out } = await operate(alone, 'log', 'status');
  assert.match(out, /FAILS: 127\.0\.0\.1 is a loopback or private address/);
  const { body } = await alone.ask('GET', '/metrics');
  assert.match(String(body), /^colophon_log_witnesses_failing 1$/m);
});

test('a tree that is signed again keeps the cosignature of a witness that is away', async () => {
  const [, its] = sides;
  const human = await one.register();
  const made = await one.published(human);
  const name = `${new URL(its.address).host}/log/witness`;
  const note = async () => (await provenLog(one, made.id, made.revision_id)).checkpoint as string;
  await until('it is cosigned', async () => (await cosigners(one, await note())).includes(name));
  const before = parseNote(await note())?.text;
  its.leadTo(9);
  await one.db.transaction((tx) => setUnpublished(tx));
  await until('it is signed again', async () => (await findHead(one.db))?.published_at !== null);
  assert.equal(parseNote(await note())?.text, before, 'the same tree');
  assert.deepEqual(await cosigners(one, await note()), [name]);
  assert.match((await operate(one, 'log', 'status')).out, /witness .*FAILS/);
  // Not sooner: it would be asked again, and cosign.
  its.leadTo(other.services.config.port);
});
