// reindex [WHAT…]: makes what is derived anew from its source, beside a running server or alone.
import { rebuilding, rebuildingOgImages } from '#discovery';
import type { Rebuilding } from '#discovery';
import type { Services } from '#services';
import type { Command } from './command.ts';
import { makeProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { forgetReindex, readReindex, saveReindex } from './reindex-progress.ts';

/** Ids of one look into the database; after each batch the progress is kept. */
const batchSize = 500;
/** At once: the service beside it has more connections than this. */
const concurrency = 4;
/** A row that cannot be made says nothing of the next one; so many say that something is wrong. */
const failuresMax = 100;

interface Run {
  readonly services: Services;
  readonly progress: Progress;
  readonly stop: AbortSignal;
  readonly failures: string[];
}

async function rebuildOne(one: Rebuilding, id: string, run: Run): Promise<void> {
  try {
    await one.rebuild(id, run.services);
  } catch (error) {
    run.failures.push(`${one.name} ${id}: ${(error as Error).message}`);
    if (run.failures.length >= failuresMax)
      throw new Error(
        `reindex gives up: ${run.failures.length} failed, the last was ${run.failures.at(-1)}`,
        { cause: error },
      );
  }
}

async function rebuildBatch(one: Rebuilding, ids: readonly string[], run: Run): Promise<void> {
  const left = [...ids];
  const workers = Array.from({ length: concurrency }, async () => {
    for (let id = left.shift(); id !== undefined && !run.stop.aborted; id = left.shift()) {
      await rebuildOne(one, id, run);
      run.progress.add();
    }
  });
  await Promise.all(workers);
}

/** Walks and rebuilds until the end, or until it is asked to stop; true at the end. */
async function walk(
  one: Rebuilding,
  next: Rebuilding['next'],
  run: Run,
  { from = '', kept }: { from?: string; kept?: (after: string, count: number) => Promise<void> },
): Promise<boolean> {
  for (let after = from; ;) {
    const ids = await next(run.services.db, after, batchSize);
    await rebuildBatch(one, ids, run);
    if (run.stop.aborted) return false;
    after = ids.at(-1) ?? after;
    await kept?.(after, ids.length);
    if (ids.length < batchSize) return true;
  }
}

/** First what derives from a source, then what has none any more. */
async function rebuildAll(one: Rebuilding, run: Run, anew: boolean): Promise<boolean> {
  const { db, now } = run.services;
  const before = anew ? undefined : await readReindex(db, one.name);
  const total = await one.count(db);
  let done = before?.done ?? 0;
  run.progress.begin(one.name, total, done);
  const kept = (after_id: string, count: number) =>
    saveReindex(db, { name: one.name, after_id, done: (done += count) }, now());
  const whole = await walk(one, one.next, run, { from: before?.after_id ?? '', kept });
  if (!whole) return false;
  run.progress.begin(`${one.name}, without a source`, undefined, 0);
  if (!(await walk(one, one.stale, run, {}))) return false;
  await forgetReindex(db, one.name);
  return true;
}

function chosen(all: readonly Rebuilding[], names: readonly string[]): readonly Rebuilding[] {
  const unknown = names.find((name) => all.every((one) => one.name !== name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ');
    throw new Error(`reindex does not know ${unknown}. It takes --anew and any of: ${known}.`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/** Ctrl-C ends it after the rows that are under way. */
function interruption(): { readonly signal: AbortSignal } & Disposable {
  const asked = new AbortController();
  const stop = () => asked.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    signal: asked.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', stop).off('SIGTERM', stop),
  };
}

function report({ failures, stop }: Run): number {
  for (const failure of failures.slice(0, 20)) process.stderr.write(`${failure}\n`);
  if (stop.aborted) {
    process.stderr.write('Stopped. Run the same command again to go on.\n');
    return 130;
  }
  if (failures.length === 0) return 0;
  process.stderr.write(`${failures.length} could not be made: mend the cause and run it again.\n`);
  return 1;
}

export const reindex: Command = {
  usage: 'reindex [--anew] [WHAT…]',
  summary: 'makes search, topics, sitemap and all else that is derived anew, while serving',
  run: async (services, args) => {
    const anew = args.includes('--anew');
    const wanted = chosen(
      [...rebuilding, rebuildingOgImages(services)],
      args.filter((one) => one !== '--anew'),
    );
    using asked = interruption();
    using progress = makeProgress(process.stderr);
    const run: Run = { services, progress, stop: asked.signal, failures: [] };
    for (const one of wanted) {
      if (!(await rebuildAll(one, run, anew))) break;
      progress.end();
    }
    return report(run);
  },
};
