// The editor in Chromium: from a keystroke in a text of 20 KB to the painted preview, and the processor time of it.
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { noBrowser } from '../packages/server/test/browser/browser.ts';
import { openPeople } from '../packages/server/test/browser/people.ts';
import type { Person } from '../packages/server/test/browser/people.ts';
import { openEditor, openWriter } from '../packages/server/test/browser/write/editor.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import { quiet } from './parts/quiet.ts';

type Page = Person['page'];

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const letters = Number(process.env['BENCH_LETTERS'] ?? 20_000);
const slower = Number(process.env['BENCH_SLOWER'] ?? 1);
const keysPerRound = 60;
const warmUps = 20;
/** Milliseconds between two keystrokes: a hundred words a minute. */
const pauseMs = 120;
const goalMs = 50;

/** What the page saw, in milliseconds of its clock. */
interface Seen {
  readonly keys: number[];
  /** When a preview began to be made, what it took, and when the browser had painted it. */
  readonly previews: {
    readonly start: number;
    readonly tookMs: number;
    readonly painted: number;
  }[];
  /** When something was pressed, and when the next frame was on the screen (Event Timing, in steps of 8 ms). */
  readonly frames: { readonly start: number; readonly end: number }[];
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const seen: Seen = { keys: [], previews: [], frames: [] };
  Object.assign(globalThis, { seen });
  addEventListener('keydown', ({ timeStamp }) => seen.keys.push(timeStamp), { capture: true });
  // The editor measures each preview in a frame; an observer is called after that frame.
  new PerformanceObserver((list) => {
    const painted = performance.now();
    for (const { startTime: start, duration: tookMs } of list.getEntriesByName('preview'))
      seen.previews.push({ start, tookMs, painted });
  }).observe({ type: 'measure' });
  new PerformanceObserver((list) => {
    for (const { startTime: start, duration } of list.getEntries())
      seen.frames.push({ start, end: start + duration });
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

/** Returns for each keystroke how long it took until its preview was painted. */
function latencies({ keys, previews, frames }: Seen): number[] {
  return keys.map((pressed, at) => {
    const next = keys[at + 1] ?? Infinity;
    const preview = previews.find(({ start }) => start >= pressed);
    const ends = frames
      .filter(({ start }) => start >= pressed && start < next)
      .map(({ end }) => end);
    return Math.max(preview?.painted ?? Infinity, ...ends) - pressed;
  });
}

const parts = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration', 'TaskDuration'] as const;
type Work = Readonly<Record<(typeof parts)[number], number>>;

/** Milliseconds of processor time of the thread of the page; `TaskDuration` contains the others, and painting. */
async function openWork(page: Page): Promise<() => Promise<Work>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (part: string) => metrics.find(({ name }) => name === part)?.value ?? Number.NaN;
    return Object.fromEntries(parts.map((part) => [part, of(part) * 1000])) as Work;
  };
}

async function press(page: Page, count: number): Promise<void> {
  for (let key = 0; key < count; key += 1) {
    await page.keyboard.press('abcdefghij '.charAt(key % 11));
    await wait(pauseMs);
  }
}

const reset = (page: Page) =>
  page.evaluate('for (const all of Object.values(seen)) all.length = 0');

function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

if (noBrowser !== false) throw new Error(`The editor needs Chromium: ${noBrowser}`);
await using people = await openPeople({ LIMITS: 'off' });
const writer = await openWriter(people.server);
await using person = await people.visit();
const { page } = person;
await writer.signIn(page.context());
await page.addInitScript(observe);
const work = await openWork(page);
await openEditor(page);
const root = resolve(import.meta.dirname, '..');
const text = await readFile(join(root, 'docs/architecture.md'), 'utf8');
await page.locator('.cm-content').fill(`${text.slice(0, letters)}\n\nLast: `);
await page.locator('.cm-content').focus();
await page.keyboard.press('Control+End');
await press(page, warmUps);

const all: number[] = [];
const previews: number[] = [];
const works: Work[] = [];
for (let round = 0; round < rounds; round += 1) {
  await quiet();
  await reset(page);
  const before = await work();
  await press(page, keysPerRound);
  const after = await work();
  const seen = (await page.evaluate('seen')) as Seen;
  all.push(...latencies(seen));
  previews.push(...seen.previews.map(({ tookMs }) => tookMs));
  works.push(
    Object.fromEntries(
      parts.map((part) => [part, (after[part] - before[part]) / keysPerRound]),
    ) as Work,
  );
  process.stderr.write('.');
}
process.stderr.write('\n');

const each = (part: keyof Work) => roundToThree(median(works.map((one) => one[part])));
show(
  'editor',
  [
    {
      'text, letters': letters,
      'ms to the painted preview, median': roundToThree(median(all)),
      p95: roundToThree(percentile(all, 0.95)),
      worst: roundToThree(Math.max(...all)),
      goal: goalMs,
      'preview, ms': roundToThree(median(previews)),
      'processor, ms': each('TaskDuration'),
      scripts: each('ScriptDuration'),
      style: each('RecalcStyleDuration'),
      layout: each('LayoutDuration'),
    },
  ],
  { rounds, keysPerRound, pauseMs, slower, load: loadavg().map((one) => Math.round(one)) },
);
