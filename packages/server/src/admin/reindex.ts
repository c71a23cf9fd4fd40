// reindex [WHAT…]: rebuilds derived rows from their source, beside a running server or alone.
import { hiderOfSecrets } from '#config';
import type { Run } from '#reindex';
import { ogImages, rebuildingOgImages } from '#share-images';
import { rebuilding } from '#subscribers';
import { rebuildAll } from '#reindex';
import type { Call, Command, Writer } from './command.ts';
import { makeProgress } from './progress.ts';

/** Number of ids read at a time; the progress is stored after each batch. */
const batchSize = 500;
/** Number of rows rebuilt at the same time: fewer than the connections of the service beside it. */
const concurrency = 4;
/** One failed row does not affect the next one; this many mean that something else is wrong. */
const failuresMax = 100;

/** Returns a function that collects failures, and gives up if there are too many. */
function keepIn(failures: string[]): Run['failed'] {
  return async (one, id, error) => {
    failures.push(`${one.name} ${id}: ${error.message}`);
    if (failures.length < failuresMax) return 'failed';
    throw new Error(
      `reindex stops after ${failures.length} failures, the last one: ${failures.at(-1)}`,
      { cause: error },
    );
  };
}

const kinds = [...rebuilding.map(({ name }) => name), ogImages];

/** @throws Error in a sentence for the operator: a name is not that of a kind */
function requireKinds(names: readonly string[]): void {
  const unknown = names.find((name) => !kinds.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `reindex has no kind ${unknown}. Its arguments are --from-start and any of: ${kinds.join(', ')}.`,
  );
}

/** Ctrl-C stops the command after the rows in progress. */
function interruption(): { readonly signal: AbortSignal } & Disposable {
  const asked = new AbortController();
  const stop = () => asked.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    signal: asked.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', stop).off('SIGTERM', stop),
  };
}

function report(failures: readonly string[], stop: AbortSignal, stderr: Writer): number {
  const hide = hiderOfSecrets();
  for (const failure of failures.slice(0, 20)) stderr.write(`${hide(failure)}\n`);
  if (stop.aborted) {
    stderr.write('Stopped. Run the same command again to continue.\n');
    return 130;
  }
  if (failures.length === 0) return 0;
  stderr.write(
    `${failures.length} rows could not be rebuilt. Correct the cause and run the command again.\n`,
  );
  return 1;
}

async function rebuild(
  { names, fromStart }: { readonly names: readonly string[]; readonly fromStart: boolean },
  { services, stderr }: Call,
): Promise<number> {
  const wanted = [...rebuilding, rebuildingOgImages(services)].filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  using asked = interruption();
  using progress = makeProgress(stderr);
  const failures: string[] = [];
  const run: Run = {
    services,
    stop: asked.signal,
    concurrency,
    batchSize,
    began: progress.begin,
    did: progress.add,
    failed: keepIn(failures),
  };
  for (const one of wanted) {
    if ((await rebuildAll(one, run, fromStart)) === undefined) break;
    progress.end();
  }
  return report(failures, asked.signal, stderr);
}

export const reindex: Command = (args) => {
  const fromStart = args.includes('--from-start');
  const names = args.filter((one) => one !== '--from-start');
  requireKinds(names);
  return (call) => rebuild({ names, fromStart }, call);
};
