// The transparency log: leaves integrated a second, publishing them, proofs, verification, and storage for each leaf.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertLeaves } from '../packages/server/src/areas/log/queries/index.ts';
import { publicationCause } from '../packages/server/src/areas/log/rules/leaves.ts';
import { startLog } from '../packages/server/src/areas/log/service/key.ts';
import { integrate } from '../packages/server/src/areas/log/service/integrate.ts';
import type { PublishedState } from '../packages/server/src/areas/log/service/integrate.ts';
import { proveLogged } from '../packages/server/src/areas/log/service/proofs.ts';
import { sequence } from '../packages/server/src/areas/log/service/sequence.ts';
import { verifyLog } from '../packages/server/src/areas/log/service/verify.ts';
import { readConfig } from '../packages/server/src/config/index.ts';
import { openDatabase } from '../packages/server/src/database/index.ts';
import { newId } from '../packages/server/src/lib/id.ts';
import { openLogFiles } from '../packages/server/src/storage/index.ts';
import { openBenchDatabase, quietLog } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';

const leaves = Number(process.env['BENCH_LEAVES'] ?? 200_000);
const proofs = 500;
const atOnce = 1_000;
const goals = { perSecond: 2_000, proofMs: 5 } as const;

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-log-'));
await using database = await openBenchDatabase();
const { connection } = database;
await using db = openDatabase({ connection, readers: 2, writers: 4, onError: () => undefined });
const config = readConfig({ DATA_DIR: folder, BASE_URL: 'https://log.example' });
await using files = await openLogFiles(config.mediaStore);
const services = { db, connection, config, log: quietLog, files, now: () => new Date() };

/** Some of the publications, for proofs. */
const revisions: string[] = [];
const revisionsMax = 100_000;

/** A publication as the collector stores it. */
function aLeaf() {
  const [article, revision] = [newId(7), newId(7)];
  const place =
    revisions.length < revisionsMax
      ? revisions.length
      : Math.floor(Math.random() * 50 * revisionsMax);
  if (place < revisionsMax) revisions[place] = revision;
  const at = new Date().toISOString();
  const entry = JSON.stringify({
    article,
    at,
    author: newId(7),
    commitment: randomBytes(32).toString('hex'),
    key: newId(7),
    kind: 'publication',
    owner: newId(7),
    published_at: at,
    revision,
    signed: true,
    v: 1,
  });
  const cause = publicationCause(revision, null);
  return { cause, ticket: newId(0), entry, articleId: article, salt: randomBytes(32) };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

async function collect(): Promise<void> {
  for (let from = 0; from < leaves; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, leaves - from) }, aLeaf);
    await db.transaction((tx) => insertLeaves(tx, some));
  }
}

async function grow(): Promise<void> {
  while ((await sequence(db, async () => undefined, new Date())) > 0);
}

async function publish(): Promise<void> {
  const state: PublishedState = { published: undefined, pauses: new Map() };
  while (await integrate(services, state, async () => true));
}

async function proofTimes(): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < proofs; count += 1) {
    const revisionId = revisions[Math.floor(Math.random() * revisions.length)] ?? '';
    const took = await seconds(async () => {
      const [proof] = await proveLogged(db, [{ revisionId, signature: null }]);
      if (proof === null) throw new Error(`${revisionId} is not in the log.`);
    });
    times.push(took * 1_000);
  }
  return times.toSorted((one, other) => one - other);
}

async function bytesBelow(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const tableBytes = () =>
  database.asOwner(async (client) => {
    await client.query('vacuum full log_leaves, log_tiles');
    const { rows } = await client.query<{ bytes: string }>(
      "select pg_total_relation_size('log_leaves') + pg_total_relation_size('log_tiles') as bytes",
    );
    return Number(rows[0]?.bytes);
  });

try {
  await startLog(services);
  const collecting = await seconds(collect);
  const growing = await seconds(grow);
  const publishing = await seconds(publish);
  const used = process.cpuUsage();
  const times = await proofTimes();
  const { user, system } = process.cpuUsage(used);
  const verifying = await seconds(async () => {
    const { faults } = await verifyLog(db, files);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  const inFiles = await bytesBelow(join(folder, 'media', 'log'));
  const perSecond = leaves / (growing + publishing);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  show(
    'log',
    [
      { step: 'collected/s', figure: roundToThree(leaves / collecting), goal: '' },
      { step: 'integrated/s', figure: roundToThree(leaves / growing), goal: '' },
      { step: 'published/s', figure: roundToThree(leaves / publishing), goal: '' },
      {
        step: 'integrated and published/s',
        figure: roundToThree(perSecond),
        goal: goals.perSecond,
      },
      { step: 'proof, median ms', figure: roundToThree(median(times)), goal: goals.proofMs },
      {
        step: 'proof, ms of this process',
        figure: roundToThree((user + system) / 1_000 / proofs),
        goal: '',
      },
      { step: 'proof, p99 ms', figure: roundToThree(p99), goal: '' },
      { step: 'verified by admin/s', figure: roundToThree(leaves / verifying), goal: '' },
      {
        step: 'bytes a leaf, database',
        figure: roundToThree((await tableBytes()) / leaves),
        goal: '',
      },
      { step: 'bytes a leaf, files', figure: roundToThree(inFiles / leaves), goal: '' },
    ],
    { leaves, passed: perSecond >= goals.perSecond && median(times) <= goals.proofMs },
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
