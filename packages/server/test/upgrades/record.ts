// npm run record-upgrade -- VERSION: fills the empty database at DATABASE_URL by a server of this version, and writes
// what it answers, what continues it, and the files of DATA_DIR to dumps/. The database is dumped afterwards.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { LogIdentity } from '@colophon/contract';
import pg from 'pg';
import { adminProgram } from '../programs.ts';
import { until } from '../throw-away-database.ts';
import { Caller } from './caller.ts';
import type { Body, Keyed } from './caller.ts';
import { lossesOfAnswer } from './comparing.ts';
import { readAll } from './readings.ts';
import type { Recorded } from './readings.ts';
import { baseUrl, serve } from './serve.ts';
import { addExports } from './site/exports.ts';
import { makeSite } from './site/index.ts';
import { leaveWaiting } from './site/waiting.ts';

const run = promisify(execFile);

/** The pipeline, the log and its checkpoint have done everything. */
const settled = `
  select
    (select count(*) from outbox)
    + (select count(*) from graphile_worker._private_jobs where attempts < max_attempts)
    + (select count(*) from log_leaves where number is null)
    + (select count(*) from log_heads where published_size <> size)
    + (select count(*) from article_treatments where finished_at is null) = 0 as done`;

/** Runs commands of the operator beside the server, and answers what they print. */
function openOperator(databaseUrl: string, folder: string) {
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder, BASE_URL: baseUrl };
  const env = { ...process.env, ...settings, BACKUP_TO: `${folder}-backups` };
  return async (...words: readonly string[]) =>
    (await run(process.execPath, [adminProgram, ...words], { env })).stdout;
}

/** Returns the files of DATA_DIR in base64, without share images, which are large and made again. */
async function filesOf(folder: string, owner: pg.Client): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string }>('select name from og_images');
  const images = new Set(rows.map(({ name }) => name));
  const files: Record<string, string> = {};
  for (const one of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = join(one.parentPath, one.name);
    const path = place.slice(folder.length + 1);
    const isShown = [...images].some((name) => place.endsWith(name));
    if (one.isFile() && !isShown && path !== 'server.lock')
      files[path] = (await readFile(place)).toString('base64');
  }
  return files;
}

/** Reads everything twice: an answer that is not the same at once cannot be compared later. */
async function readSteadily(caller: Caller, recorded: Recorded) {
  const readings = await readAll(caller, recorded);
  const again = await readAll(caller, recorded);
  const changed = readings.flatMap((one, at) => {
    const now = again[at] ?? { status: 0, body: null };
    return lossesOfAnswer(one, now).map((loss) => `${one.path}${loss}`);
  });
  if (changed.length > 0) throw new Error(`Not steady:\n${changed.join('\n')}`);
  return readings;
}

async function fillAndSettle(databaseUrl: string, folder: string, owner: pg.Client) {
  await using server = await serve(databaseUrl, { folder });
  const caller = new Caller(server.address);
  const operate = openOperator(databaseUrl, folder);
  const site = await makeSite(caller, async (username, ...scopes) => {
    return (JSON.parse(await operate('grant', username, ...scopes)) as { token: string }).token;
  });
  const isSettled = async () => (await owner.query(settled)).rows[0].done === true;
  await until('the pipeline is done', isSettled);
  const exports = await addExports(caller, site.people);
  await until('the pipeline is done again', isSettled);
  await operate('backup');
  await rm(`${folder}-backups`, { recursive: true });
  const events = await caller.done('GET', '/v1/events?type=comment.created', {
    token: site.people.gus.token,
  });
  const seen = (events['items'] as { id: string }[]).map(({ id }) => id);
  return { caller, recorded: { ...site, exports, seen, until: new Date().toISOString() } };
}

/** Without a worker: the last writes wait for the later version. */
async function readAndLeave(databaseUrl: string, folder: string, filled: Filled) {
  await using server = await serve(databaseUrl, { folder, settings: { ROLE: 'web' } });
  const caller = new Caller(server.address);
  const waiting = await leaveWaiting(caller, filled.recorded);
  const readings = await readSteadily(caller, filled.recorded);
  const replays: { sent: Keyed; status: number; body: Body }[] = [];
  for (const sent of [...filled.caller.keyed, ...caller.keyed]) {
    const { status, body } = await caller.replay(sent);
    replays.push({ sent, status, body });
  }
  const { log } = await caller.done('GET', '/v1/meta');
  const { id, revision_id } = filled.recorded.works.signed;
  const proof = await caller.done('GET', `/v1/articles/${id}/revisions/${revision_id}/proof`);
  const checkpoint = await (await fetch(`${server.address}/log/checkpoint`)).text();
  const kept = {
    ...filled.recorded,
    waiting,
    replays,
    proof,
    log: { ...(log as LogIdentity), checkpoint },
  };
  return { readings, kept: { ...kept, recordedAt: new Date().toISOString() } };
}

type Filled = Awaited<ReturnType<typeof fillAndSettle>>;
export type Kept = Awaited<ReturnType<typeof readAndLeave>>['kept'];

async function connectTo(databaseUrl: string): Promise<pg.Client> {
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  return owner;
}

async function record(version: string, databaseUrl: string): Promise<void> {
  // Allowances count per hour, and are the same after the upgrade only in the same hour.
  if (new Date().getUTCMinutes() > 45)
    throw new Error('Record in the first 45 minutes of an hour.');
  const folder = await mkdtemp(join(tmpdir(), 'colophon-record-'));
  const owner = await connectTo(databaseUrl);
  const filled = await fillAndSettle(databaseUrl, folder, owner);
  const { readings, kept } = await readAndLeave(databaseUrl, folder, filled);
  const files = await filesOf(folder, owner);
  await owner.end();
  await rm(folder, { recursive: true, force: true });
  for (const [kind, value] of Object.entries({ answers: readings, kept, files })) {
    const packed = gzipSync(JSON.stringify(value), { level: 9 });
    await writeFile(join(import.meta.dirname, `dumps/${version}.${kind}.json.gz`), packed);
    process.stdout.write(`${kind}: ${packed.length} bytes\n`);
  }
}

const [version = ''] = process.argv.slice(2);
const databaseUrl = process.env['DATABASE_URL'] ?? '';
if (!/^\d{4}$/.test(version) || databaseUrl === '')
  throw new Error('Name the last migration, such as 0093, and an empty database in DATABASE_URL.');
await record(version, databaseUrl);
