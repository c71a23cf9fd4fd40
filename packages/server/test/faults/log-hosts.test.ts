// Several hosts with a pipeline and one witness, killed again and again: one of them writes the log at a time, nobody is
// shown two trees, and no cosignature that was published is lost.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { entriesPath, parseCheckpoint, parseNote } from '@colophon/tlog';
import { readConfig } from '#config';
import { openDatabase, sql } from '#database';
import { newId } from '#lib/id';
import { openWitnessKey, verifyLog, writeTiles } from '#log';
import { openLogFiles } from '#storage';
import { findHead, insertLeaves, listWitnesses } from '../../src/areas/log/queries/index.ts';
import { rootAt } from '../../src/areas/log/service/history.ts';
import { makeKey } from '../../src/areas/log/service/key.ts';
import { cloneDatabase } from '../database.ts';
import { effort } from '../effort.ts';
import { startServer } from '../harness.ts';
import { startS3, withoutS3 } from '../radosgw.ts';
import { until } from '../throw-away-database.ts';
import { runMark } from './server-process.ts';

const kills = effort(3, 100);
const patienceMs = 180_000 + kills * 10_000;
const hosts = 2;

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const folder = await mkdtemp(join(tmpdir(), 'colophon-hosts-'));
parts.defer(() => rm(folder, { recursive: true, force: true }));
const key = await makeKey('log.example/log', join(folder, 'key.pem'));
const witness = parts.use(await startServer({ ROLE: 'web', LOG_WITNESS_FOR: key.verifierKey }));
const { verifierKey: witnessKey } = await openWitnessKey(witness.services.config);

type Settings = Readonly<Record<string, string>>;

/** Processes of one host share DATA_DIR; hosts have a store in S3 in common, and files of the key. */
async function openWorld(places: readonly Settings[]) {
  const { connection } = parts.use(await cloneDatabase());
  const db = parts.use(
    openDatabase({ connection, readers: 2, writers: 2, patience: 12, onError: () => undefined }),
  );
  const settings = places.map((place) => ({
    BASE_URL: 'https://log.example',
    LOG_KEY_FILE: join(folder, 'key.pem'),
    LOG_WITNESSES: `${witnessKey} ${witness.baseUrl}/log/witness`,
    LOG_WITNESS_PRIVATE: 'allow',
    ...place,
  }));
  const config = readConfig(settings[0] ?? {});
  const files = parts.use(await openLogFiles(config.mediaStore));
  const program = fileURLToPath(import.meta.resolve('./log-host-child.ts'));
  const start = (number: number): ChildProcess =>
    spawn(process.execPath, [program, JSON.stringify(connection)], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...runMark, ...settings[number] },
    });
  let made = 0;
  const insertSome = async (count: number) => {
    const leaves = Array.from({ length: count }, () => {
      made += 1;
      const cause = `test/${String(made).padStart(8, '0')}`;
      const entry = JSON.stringify({ made });
      return { cause, ticket: newId(0), entry, articleId: null, salt: null };
    });
    await db.transaction((tx) => insertLeaves(tx, leaves));
  };
  return { db, config, files, start, insertSome, made: () => made };
}

type World = Awaited<ReturnType<typeof openWorld>>;

interface Seen {
  readonly text: string;
  readonly size: number;
  readonly root: string;
  readonly cosigned: boolean;
}

async function look({ files }: World): Promise<Seen | undefined> {
  const note = parseNote((await files.read('checkpoint'))?.toString('utf8') ?? '');
  const checkpoint = parseCheckpoint(note?.text ?? '');
  if (note === undefined || checkpoint === undefined) return undefined;
  return {
    text: note.text,
    size: checkpoint.size,
    root: Buffer.from(checkpoint.root).toString('hex'),
    cosigned: note.signatures.some(({ name }) => name.endsWith('/log/witness')),
  };
}

/** No older tree, no other one of the same size, no lost cosignature. */
function requireNext(now: Seen, last: Seen | undefined, seen: ReadonlyMap<number, Seen>): void {
  assert.ok(now.size >= (last?.size ?? 0), `${now.size} after ${last?.size}`);
  assert.equal(seen.get(now.size)?.root ?? now.root, now.root, 'one tree of a size');
  const wasCosigned = last?.text === now.text && last.cosigned;
  assert.ok(now.cosigned || !wasCosigned, 'a cosignature is not lost');
}

/** A reader who looks all the time. */
function watch(world: World) {
  const seen = new Map<number, Seen>();
  const ending = new AbortController();
  const ended = (async () => {
    for (let last: Seen | undefined; !ending.signal.aborted; await wait(5)) {
      const now = await look(world);
      if (now === undefined) continue;
      requireNext(now, last, seen);
      seen.set(now.size, now);
      last = now;
    }
  })();
  ended.catch(() => undefined);
  return { seen, end: async () => (ending.abort(), ended) };
}

/** Kills the processes one after the other, while leaves arrive and a reader looks. */
async function killThem(world: World, kills: number): Promise<ReadonlyMap<number, Seen>> {
  const { start, insertSome, made } = world;
  const running = Array.from({ length: hosts }, (_, number) => start(number));
  const reader = watch(world);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await insertSome(1 + Math.floor(Math.random() * 300));
      await until('a tree', async () => ((await look(world))?.size ?? 0) > 0);
      await wait(Math.random() * 700);
      const number = kill % hosts;
      running[number]?.kill('SIGKILL');
      await once(running[number] ?? assert.fail(), 'close');
      running[number] = start(number);
    }
    // At least one tile is full, so its partial ones are not needed.
    await insertSome(256);
    // The last bundle is a partial one.
    await insertSome(made() % 256 === 246 ? 11 : 10);
    const isComplete = async () => {
      const now = await look(world);
      // The database comes last.
      const head = await findHead(world.db);
      return now?.size === made() && now.cosigned && head?.published_size === made();
    };
    await until('all leaves are published and cosigned', isComplete);
    await reader.end();
    return reader.seen;
  } finally {
    for (const host of running) host.kill('SIGKILL');
  }
}

async function requireOneHistory({ db, files, made }: World, seen: ReadonlyMap<number, Seen>) {
  for (const { size, root } of seen.values())
    assert.equal(await rootAt(db, size), root, `the tree of ${size} leaves is in the last one`);
  const numbers = await db.rows(sql<{ number: number }>`
    select number from log_leaves where bucket = 0 order by ticket`);
  assert.deepEqual(
    numbers.map(({ number }) => number),
    Array.from({ length: made() }, (_, number) => number),
  );
  assert.deepEqual(await verifyLog(db, files), { size: made(), faults: [] });
  const [row] = await listWitnesses(db);
  assert.deepEqual([row?.size, row?.failure], [made(), null]);
}

test('processes of one host', { timeout: patienceMs }, async (t) => {
  const shared = { DATA_DIR: join(folder, 'data') };
  const world = await openWorld([shared, shared]);
  const seen = await killThem(world, kills);
  await requireOneHistory(world, seen);
  t.diagnostic(`${kills} kills, ${world.made()} leaves, ${seen.size} checkpoints seen`);
});

test(
  'hosts with a store in S3, where lost tiles are written again',
  { skip: withoutS3, timeout: patienceMs },
  async () => {
    await using s3 = await startS3();
    await witness.db.transaction((tx) => tx.run(sql`delete from log_witnessed where bucket = 0`));
    const placeOf = (number: number) => ({
      DATA_DIR: join(folder, `host-${number}`),
      MEDIA_STORE: s3.store,
    });
    const world = await openWorld([placeOf(0), placeOf(1)]);
    const seen = await killThem(world, kills);
    await requireOneHistory(world, seen);
    const { db, files, made } = world;
    await files.deletePartials('tile/0/000');
    const last = Math.floor(made() / 256);
    await files.deletePartials(entriesPath(last, 256));
    const [fault = '', ...more] = (await verifyLog(db, files)).faults;
    assert.match(fault, /The file tile\/entries\/\d{3}\.p\/\d+ is missing/);
    assert.deepEqual(more, []);
    await writeTiles(db, files, { from: 0, to: made() });
    assert.deepEqual(await verifyLog(db, files), { size: made(), faults: [] });
  },
);
