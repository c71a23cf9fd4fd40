// The longest stall of the event loop that a single request causes, over hostile texts and bodies.
//   npm run bench -- stalls [first|texts|hundred|feeds|bodies ...]
import { freePort } from '../packages/server/src/http/index.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { bodyCases, feedCases, firstCases, hundredCases, textCases } from './parts/stall-cases.ts';
import type { Case } from './parts/stall-cases.ts';

/** Rows of the table; the line of JSON contains all of them. */
const shown = 30;
const probe = new URL('parts/stall-probe.mjs', import.meta.url).href;

interface Worst {
  readonly processorMs: number;
  readonly clockMs: number;
}

interface Seen extends Worst {
  readonly text: string;
  readonly status: number;
  readonly goal: number;
  /** The longest stall over all repetitions. */
  readonly longestMs: number;
}

const groups = {
  first: firstCases,
  texts: textCases,
  hundred: hundredCases,
  feeds: feedCases,
  bodies: bodyCases,
} as const;

/** Returns the median of several: a garbage collection that was due anyway can occur during any of them. */
async function measure(
  ask: () => Promise<Worst>,
  { text, goal, times, send }: Case,
): Promise<Seen> {
  await ask();
  const seen: Worst[] = [];
  let status = 0;
  for (let n = 0; n < times; n += 1) {
    status = await send();
    seen.push(await ask());
  }
  const processor = seen.map(({ processorMs }) => processorMs);
  return {
    text,
    status,
    goal,
    processorMs: median(processor),
    longestMs: Math.max(...processor),
    clockMs: median(seen.map(({ clockMs }) => clockMs)),
  };
}

const port = await freePort('127.0.0.1');
await using database = await openBenchDatabase();
await using server = await startColophon(database.url(), { STALL_PROBE_PORT: String(port) }, [
  '--import',
  probe,
]);
const ask = async () => (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Worst;
const asked = process.argv.slice(3);
const worst = new Map<string, Seen>();
for (const [name, casesOf] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for await (const one of casesOf(server.url)) {
    const seen = await measure(ask, one);
    const before = worst.get(one.request);
    if (before === undefined || seen.processorMs > before.processorMs)
      worst.set(one.request, {
        ...seen,
        longestMs: Math.max(seen.longestMs, before?.longestMs ?? 0),
      });
    process.stderr.write('.');
  }
}
process.stderr.write('\n');
const rows = [...worst]
  .toSorted(([, a], [, b]) => b.processorMs / b.goal - a.processorMs / a.goal)
  .map(([request, { text, status, processorMs, longestMs, clockMs, goal }]) => ({
    request,
    text,
    status,
    'processor, ms': roundToThree(processorMs),
    'longest of all, ms': roundToThree(longestMs),
    'by the clock, ms': roundToThree(clockMs),
    goal,
  }));
show('stalls', rows.slice(0, shown), { rest: rows.slice(shown) });
process.exitCode = [...worst.values()].every(({ processorMs, goal }) => processorMs <= goal)
  ? 0
  : 1;
