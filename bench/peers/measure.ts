// Measures one job on one server: what it does in a second, how long each takes, and what it costs.
import { runLoad } from '../parts/load.ts';
import { treeProcessorMs } from '../parts/process-tree.ts';
import { jobs } from './jobs.ts';
import type { JobName } from './jobs.ts';
import type { JobFigures, Side, Work } from './side.ts';

/** @throws Error when a read does not show what it should */
async function checkShown(side: Side, { steps, shows, people }: Work): Promise<void> {
  if (shows === undefined) return;
  const [person = {}] = people ?? [];
  const ofPerson = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => person[name] ?? whole);
  for (const { paths, headers } of steps)
    for (const path of new Set([paths[0], paths.at(-1)])) {
      const response = await fetch(`${side.url}${path ?? ''}`, {
        headers: {
          connection: 'close',
          ...Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name, ofPerson(value)]),
          ),
        },
      });
      const text = await response.text();
      if (!response.ok || !text.includes(shows))
        throw new Error(
          `${side.name}: ${path ?? ''} answered ${response.status} without "${shows}": ${text.slice(0, 300)}`,
        );
    }
}

/** @throws Error when the server has stored less than it has acknowledged */
function checkStored(side: Side, name: JobName, stored: number, acknowledged: number): void {
  if (stored < acknowledged)
    throw new Error(
      `${side.name}, ${name}: ${acknowledged} were acknowledged, ${stored} are stored.`,
    );
}

/**
 * Runs a job for `seconds`. A write counts when its work behind the response is done, too: the time until then
 * is part of the time measured.
 */
export async function measure(side: Side, name: JobName, seconds: number): Promise<JobFigures> {
  const work = side.works[name];
  if (work === undefined) throw new Error(`${side.name} does not do ${name}.`);
  await checkShown(side, work);
  const roots = side.roots();
  const before = { stored: await work.stored?.(), processor: await treeProcessorMs(roots) };
  const figures = await runLoad({
    url: side.url,
    connections: jobs[name].connections,
    seconds: Math.min(seconds, jobs[name].seconds ?? seconds),
    steps: work.steps,
    people: work.people,
  }).catch((error: unknown) => {
    throw new Error(`${side.name} failed at ${jobs[name].title}.`, { cause: error });
  });
  const answered = performance.now();
  await work.settled?.();
  const following = work.followed === true ? 0 : (performance.now() - answered) / 1000;
  const processor = (await treeProcessorMs(roots)) - before.processor;
  const operations = figures.requests / work.steps.length;
  if (operations === 0)
    throw new Error(
      `${side.name} finished nothing in ${figures.seconds} s (${jobs[name].title}): set BENCH_SECONDS higher.`,
    );
  if (work.stored !== undefined && before.stored !== undefined) {
    // The run ends in the middle of operations of several requests.
    const unfinished = work.steps.length > 1 ? jobs[name].connections : 0;
    const stored = (await work.stored()) - before.stored;
    checkStored(side, name, stored, Math.floor(operations) - unfinished);
  }
  await checkShown(side, work);
  return {
    perSecond: operations / (figures.seconds + following),
    p50: figures.p50,
    p99: figures.p99,
    processorMs: processor / operations,
  };
}
