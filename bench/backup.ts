// Backup and restore of 1 GB of media and 100,000 rows: MB a second, memory, and the writes beside it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { bucketOf } from '../packages/server/src/lib/id.ts';
import { openMediaStore } from '../packages/server/src/storage/index.ts';
import { markdownOf, post, registerAuthor } from './parts/author.ts';
import type { Author } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { show } from './parts/figures.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 100_000);
const files = Number(process.env['BENCH_FILES'] ?? 200);
const fileBytes = 5 * 1024 * 1024;
const writesPerSecond = 40;
/** The public key of the documentation of age. */
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const program = join(import.meta.dirname, '../packages/server/src/admin/main.mjs');

/** Inserts articles with one revision each, of 3 KB that hardly compress: three rows an article. */
async function insertRows(client: pg.Client, author: Author): Promise<void> {
  await client.query(
    `with n as materialized (
      select upper(lpad(to_hex(n), 26, '0')) as id, 'sha256:' || encode(sha256(n::text::bytea), 'hex') as hash,
        (select string_agg(md5((n * 100 + part)::text), ' ') from generate_series(1, 90) as part) as content
      from generate_series(1, $1::integer) as n
    ), kept as (
      insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
      select $2, hash, 'A title', content, '{}', left(content, 280), now() from n
    ), article as (
      insert into articles (
        bucket, id, author_id, author_kind, status, visibility, language, disclosure,
        latest_revision_id, published_revision_id, published_at, created_at, updated_at
      )
      select $2, id, $3, 'human', 'published', 'public', 'en', 'human_authored', id, id, now(), now(), now()
      from n
    )
    insert into revisions (
      bucket, article_id, id, content_hash, signing_base, created_at, published_at
    )
    select $2, id, id, hash, 'http://127.0.0.1', now(), now() from n`,
    [Math.floor(rows / 3), bucketOf(author.id), author.id],
  );
  await client.query('analyze');
}

/** Stores files of random bytes, as uploads do, and returns their number of bytes. */
async function storeFiles(client: pg.Client, author: Author, dataDir: string): Promise<number> {
  await using store = await openMediaStore({ folder: join(dataDir, 'media') }, 0);
  const bytes = crypto.getRandomValues(Buffer.alloc(65_536));
  const whole = Buffer.concat(Array.from({ length: fileBytes / bytes.length }, () => bytes));
  const bucket = bucketOf(author.id);
  for (let n = 0; n < files; n += 1) {
    whole.writeUInt32BE(n, 0);
    const { name, size, checksum } = await store.put({
      bucket,
      length: whole.length,
      chunks: [whole],
    });
    await client.query(
      `insert into blobs (bucket, checksum, name, content_type, byte_size, holders, created_at)
       values ($1, $2, $3, 'image/png', $4, 1, now())`,
      [bucket, `sha256:${checksum}`, name, size],
    );
  }
  return files * fileBytes;
}

interface Ran {
  readonly seconds: number;
  readonly peakMiB: number;
}

/** Runs a command of the operator and watches its resident memory. */
async function runAdminCommand(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Ran> {
  const since = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 2],
  });
  const exited = once(child, 'exit');
  let peakMiB = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    peakMiB = Math.max(peakMiB, Math.round(peak));
    await wait(50);
  }
  const [code] = (await exited) as [number];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}.`);
  return { seconds: (performance.now() - since) / 1_000, peakMiB };
}

/** Writes at a fixed rate until `over`, and returns the p99 of the answers in ms. */
async function writeUntil(url: string, author: Author, over: Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  let done = false;
  void over.finally(() => (done = true)).catch(() => undefined);
  const all: Promise<unknown>[] = [];
  const body = { title: 'A title', content: markdownOf(2_000), language: 'en' };
  for (let next = performance.now(); !done; next += 1_000 / writesPerSecond) {
    const since = performance.now();
    all.push(
      post(`${url}/v1/articles`, body, author.token).then(() =>
        taken.push(performance.now() - since),
      ),
    );
    await wait(Math.max(0, next - performance.now()));
  }
  await Promise.all(all);
  return Math.round(taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? 0);
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-backup-'));
try {
  await using database = await openBenchDatabase();
  const dataDir = join(folder, 'data');
  const env = { DATABASE_URL: database.url(), DATA_DIR: dataDir, DISK_RESERVE: '0' };
  await using ours = await startColophon(env.DATABASE_URL, { ...env, LIMITS: 'off' });
  const author = await registerAuthor(ours.url);
  const small = await runAdminCommand(env, 'backup', join(folder, 'small.tar'));
  const bytes = await database.asOwner(async (client) => {
    await insertRows(client, author);
    return storeFiles(client, author, dataDir);
  });
  const alone = await writeUntil(ours.url, author, wait(5_000));
  const file = join(folder, 'large.tar');
  const making = runAdminCommand(env, 'backup', file);
  const beside = await writeUntil(ours.url, author, making);
  const made = await making;
  const sealed = join(folder, 'large.tar.age');
  const encrypted = await runAdminCommand(env, 'backup', sealed, '--recipient', recipient);
  await rm(sealed);
  const verified = await runAdminCommand(env, 'verify', file);
  const smallRestore = await runAdminCommand(
    { DATA_DIR: join(folder, 'small') },
    'restore',
    join(folder, 'small.tar'),
  );
  const restored = await runAdminCommand({ DATA_DIR: join(folder, 'restored') }, 'restore', file);
  const megabytes = (await stat(file)).size / 1e6;
  const speed = ({ seconds }: Ran) => Math.round(megabytes / seconds);
  show('backup', [
    {
      rows,
      media_MB: Math.round(bytes / 1e6),
      file_MB: Math.round(megabytes),
      backup_MB_per_second: speed(made),
      encrypted_MB_per_second: speed(encrypted),
      verify_MB_per_second: speed(verified),
      restore_MB_per_second: speed(restored),
      backup_peak_MiB: made.peakMiB,
      backup_grown_MiB: made.peakMiB - small.peakMiB,
      encrypted_grown_MiB: encrypted.peakMiB - small.peakMiB,
      restore_peak_MiB: restored.peakMiB,
      restore_grown_MiB: restored.peakMiB - smallRestore.peakMiB,
      writes_p99_ms_alone: alone,
      writes_p99_ms_beside: beside,
    },
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
