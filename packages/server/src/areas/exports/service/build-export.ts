// Builds the archive of an export in steps. Each step is committed, so that a later run continues where this one ended.
import type { Tx } from '#database';
import { bytesFreed } from '#outbox';
import type { RowKey } from '#lib/id';
import { exportRequested } from '../outbox.ts';
import {
  deleteParts,
  findBuilding,
  findExport,
  insertParts,
  setReady,
  setStepped,
} from '../queries/index.ts';
import type { BuildingRow, Counts } from '../queries/index.ts';
import { expiryOf, stageAfter, startsStep } from '../rules/exports.ts';
import { openArchiveWriter } from './archive-writer.ts';
import type { Written } from './archive-writer.ts';
import { restart } from './end-exports.ts';
import { runStage } from './stages.ts';
import { principalOf } from './step.ts';
import type { ExportServices, Step, Stepped } from './step.ts';

/** Another export may begin after this time: the rest of this one waits for its turn. */
const turnMs = 5_000;
/** What a killed process does again: this much of the archive, or this many articles, about. */
const stepBytes = 2 * 1024 * 1024;
const stepArticles = 500;
/** More than the bytes of the lists of one step. */
const listsPerStep = 2 ** 32;

function sum(counts: Counts, added: Partial<Counts> = {}): Counts {
  const entries = Object.entries(counts) as (readonly [keyof Counts, number])[];
  return Object.fromEntries(
    entries.map(([name, count]) => [name, count + (added[name] ?? 0)]),
  ) as unknown as Counts;
}

async function finish(tx: Tx, row: BuildingRow, checksums: string, now: Date): Promise<void> {
  const current = await findExport(tx, row);
  if (current?.stale !== false) {
    await restart(tx, row, now);
    return;
  }
  const names = await deleteParts(tx, row, ['checksums', 'listing']);
  bytesFreed(tx, row.bucket, names, now);
  await setReady(tx, row, { checksums, now, expiresAt: expiryOf(now) });
}

interface Made {
  /** The export after the step. */
  readonly after: BuildingRow;
  /** Of checksums.txt, after the last stage. */
  readonly checksums: string | undefined;
}

/** Returns the export after one part of a stage. */
function advance(row: BuildingRow, { next, counts, tombstones = 0 }: Stepped): BuildingRow {
  return {
    ...row,
    stage: next === undefined ? (stageAfter(row.stage) ?? row.stage) : row.stage,
    position: next ?? '',
    counts: sum(row.counts, counts),
    tombstones: row.tombstones + tombstones,
  };
}

/** Runs stages until enough was written for a step. */
async function runStages(step: Step, isTurnOver: () => boolean): Promise<Made> {
  let after = step.row;
  for (;;) {
    const stepped = await runStage(after.stage, { ...step, row: after });
    after = advance(after, stepped);
    const { checksums } = stepped;
    const articles = after.counts.articles - step.row.counts.articles;
    const isFull = step.writer.size() >= stepBytes || articles >= stepArticles;
    if (checksums !== undefined || isFull || isTurnOver() || startsStep(after.stage))
      return { after, checksums };
  }
}

/** Commits a step; false if another run committed it, or the export is no longer built. */
async function commit(
  services: ExportServices,
  row: BuildingRow,
  { after, checksums, written }: Made & { readonly written: Written },
  isTurnOver: boolean,
): Promise<boolean> {
  const now = services.now();
  const { entries, archive: byteSize, directory: directorySize } = written;
  return services.db.transaction(async (tx) => {
    const progress = { ...after, entries, byteSize, directorySize, now };
    if ((await setStepped(tx, row, progress)) === 0) return false;
    await insertParts(tx, row, written.parts);
    if (checksums !== undefined) await finish(tx, row, checksums, now);
    else if (isTurnOver) exportRequested(tx, row, now);
    return true;
  });
}

/** Makes one step and returns whether this run makes the next one. */
async function makeStep(
  services: ExportServices,
  row: BuildingRow,
  isTurnOver: () => boolean,
): Promise<boolean> {
  const { db, config, store } = services;
  const beginning = {
    bucket: row.bucket,
    at: new Date(row.created_at),
    archive: row.byte_size,
    directory: row.directory_size,
    lists: row.steps * listsPerStep,
  };
  const writer = openArchiveWriter(store, beginning, row.entries);
  const reading = { db, config, caller: principalOf(row) };
  // What a failed step stored is swept later: after a lost connection the step may be committed.
  const made = await runStages({ row, writer, services, reading }, isTurnOver);
  const written = await writer.finish();
  const over = isTurnOver();
  const committed = await commit(services, row, { ...made, written }, over);
  if (!committed) await writer.abandon();
  return committed && !over && made.checksums === undefined;
}

/** Makes steps until the archive is ready, or until another export has its turn. */
export async function buildExport(key: RowKey, services: ExportServices): Promise<void> {
  const since = performance.now();
  const isTurnOver = () => performance.now() - since > turnMs;
  for (let goesOn = true; goesOn;) {
    const row = await findBuilding(services.db, key);
    goesOn = row !== undefined && (await makeStep(services, row, isTurnOver));
  }
}
