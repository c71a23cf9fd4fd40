// Rendering: every Markdown document below node_modules, then hostile texts, and event loop stalls.
//   npm run bench -- markdown
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openRendering } from '../packages/text/src/rendering.ts';
import type { Rendered, Rendering } from '../packages/text/src/rendering.ts';
import { findDocuments } from '../scripts/seed/documents.ts';
import { hostileTexts } from './parts/hostile-texts.ts';

const site = { baseUrl: 'https://base.example', mediaBaseUrl: 'https://media.example/media' };

interface Measured {
  readonly rendered: Rendered;
  readonly ms: number;
  /** The longest time in which the event loop was blocked. Other programs on the machine add to it. */
  readonly stallMs: number;
  /** All work of the event loop's own thread in that time: no stall that we cause can be longer. */
  readonly ownMs: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function watchStalls<T>(work: () => Promise<T>): Promise<{ result: T; stallMs: number }> {
  const delays = monitorEventLoopDelay({ resolution: 2 });
  delays.enable();
  const result = await work();
  await wait(5);
  delays.disable();
  return { result, stallMs: delays.max / 1e6 };
}

/** Rendered twice, because measuring stalls is work too. */
async function measure(rendering: Rendering, markdown: string): Promise<Measured> {
  const before = process.threadCpuUsage();
  const began = performance.now();
  const rendered = await rendering.render(markdown, { site });
  const ms = performance.now() - began;
  const { user, system } = process.threadCpuUsage(before);
  const { stallMs } = await watchStalls(() => rendering.render(markdown, { site }));
  return { rendered, ms, stallMs, ownMs: (user + system) / 1e3 };
}

async function documents(rendering: Rendering): Promise<void> {
  const root = resolve(import.meta.dirname, '..', 'node_modules');
  const { documents: found } = await findDocuments([root]);
  const took: { readonly name: string; readonly ms: number; readonly bytes: number }[] = [];
  const refused: string[] = [];
  const { stallMs } = await watchStalls(async () => {
    for (const { facts, path, content } of found) {
      const began = performance.now();
      const { reason } = await rendering.render(content, { site });
      const name = `${facts.name}/${path}`;
      took.push({ name, ms: performance.now() - began, bytes: Buffer.byteLength(content) });
      if (reason !== null) refused.push(`${name}: ${reason}`);
    }
  });
  const ms = took.reduce((sum, one) => sum + one.ms, 0);
  const bytes = took.reduce((sum, one) => sum + one.bytes, 0);
  const slow = took.toSorted((a, b) => b.ms - a.ms);
  const worst = slow[0];
  say(
    `${found.length} documents, ${(bytes / 1e6).toFixed(1)} MB in ${(ms / 1e3).toFixed(1)} s: ${(bytes / 1e3 / ms).toFixed(1)} MB/s`,
  );
  say(
    `median ${slow[slow.length >> 1]?.ms.toFixed(2)} ms, 99th of a hundred ${slow[Math.floor(slow.length / 100)]?.ms.toFixed(0)} ms`,
  );
  say(`worst ${worst?.name}: ${worst?.ms.toFixed(0)} ms for ${worst?.bytes} bytes`);
  say(`not rendered: ${refused.length === 0 ? 'none' : refused.join(', ')}`);
  say(`worst stall of the event loop ${stallMs.toFixed(1)} ms`);
}

async function hostile(rendering: Rendering): Promise<void> {
  let worst = 0;
  let own = 0;
  for (const [name, markdown] of Object.entries(hostileTexts)) {
    const { rendered, ms, stallMs, ownMs } = await measure(rendering, markdown);
    worst = Math.max(worst, stallMs);
    own = Math.max(own, ownMs);
    const end = rendered.reason ?? `${(rendered.html.length / 1e6).toFixed(1)} MB`;
    say(
      `${name.padEnd(42)} ${ms.toFixed(0).padStart(5)} ms  stall ${stallMs.toFixed(1).padStart(5)} ms  own work ${ownMs.toFixed(1).padStart(5)} ms  ${end}`,
    );
  }
  say(
    `${Object.keys(hostileTexts).length} texts, worst stall of the event loop ${worst.toFixed(1)} ms, most work of its own ${own.toFixed(1)} ms`,
  );
}

{
  await using rendering = openRendering((error) => say(String(error)));
  const { stallMs } = await watchStalls(() => wait(2_000));
  say(`Worst stall of an event loop with nothing to do: ${stallMs.toFixed(1)} ms`);
  const first = await measure(rendering, '# first');
  say(
    `First text, with the start of its thread: ${first.ms.toFixed(0)} ms, stall ${first.stallMs.toFixed(1)} ms\n`,
  );
  await documents(rendering);
  say('');
  await hostile(rendering);
}
