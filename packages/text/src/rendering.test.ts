// Tests of rendering in worker threads: limits, failures, and a responsive event loop.
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { preformat } from './preformatted.ts';
import { openRendering, rendererFor } from './rendering.ts';

const site = { baseUrl: 'https://base.example', mediaBaseUrl: 'https://base.example/media' };
/** On a machine that is busy with other tests, no text is `busy` for want of processor time. */
const usual = { memoryMb: 384, waiting: 64, patience: 1_000 };

function fail(error: Error): void {
  throw error;
}

function million(pattern: string): string {
  return pattern.repeat(Math.ceil(1_000_000 / pattern.length)).slice(0, 1_000_000);
}

const hostile = million('![[]()');

test('a text becomes HTML and a list of its headings', async () => {
  await using rendering = openRendering(fail);
  assert.deepEqual(await rendering.render('# A\n\n*b*', { site }), {
    html: '<h1 id="md-a">A</h1>\n<p><em>b</em></p>\n',
    headings: [{ level: 1, id: 'md-a', text: 'A' }],
    signals: null,
    reason: null,
  });
});

test('a text that takes too long is given up, the next one is rendered', async () => {
  await using rendering = openRendering(fail, usual);
  const [slow, quick] = await Promise.all([
    rendering.render(hostile, { site, deadlineMs: 200 }),
    rendering.render('b', { site }),
  ]);
  assert.deepEqual(slow, { html: null, headings: [], signals: null, reason: 'deadline' });
  assert.equal(quick.html, '<p>b</p>\n');
  assert.equal((await rendering.render('c', { site })).html, '<p>c</p>\n');
});

test('waiting for a thread does not count against the deadline', async () => {
  await using rendering = openRendering(fail, usual);
  // The last one waits for twice its deadline, and its own deadline is ample on a busy machine.
  const hasty = { site, deadlineMs: 1_000 };
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => rendering.render(hostile, hasty)),
    rendering.render('last', hasty),
  ]);
  assert.deepEqual(
    answers.map(({ reason }) => reason),
    ['deadline', 'deadline', 'deadline', 'deadline', null],
  );
});

test('a text that needs too much memory ends its thread and nothing else', async () => {
  await using rendering = openRendering(() => undefined, { ...usual, memoryMb: 24 });
  assert.equal(
    (await rendering.render(million('****a'), { site, deadlineMs: 60_000 })).reason,
    'memory',
  );
  assert.equal((await rendering.render('b', { site })).html, '<p>b</p>\n');
});

test('HTML that grows beyond all measure is not answered', async () => {
  await using rendering = openRendering(fail);
  const grown = `[^1]: x\n\n${million('[^1]')}`;
  assert.equal((await rendering.render(grown, { site, deadlineMs: 60_000 })).reason, 'size');
});

test('HTML of a text of a million characters has at most some 2 MiB, rendered or as it was written', async () => {
  await using rendering = openRendering(fail);
  const markdown = million('&amp;\n\n');
  const { html, reason } = await rendering.render(markdown, { site, deadlineMs: 60_000 });
  assert.ok(reason === 'size' || (html ?? '').length <= 2 * 1024 * 1024, `${html?.length}`);
  for (const text of [million('&'), million('"'), `a${million('"')}`, `b${million('&😀')}`]) {
    const shown = preformat(text);
    assert.ok(shown.length <= 2 * 1024 * 1024 + 200, `${shown.length}`);
    assert.match(
      shown,
      /(?:&amp;|&quot;|😀)\n\n\[This page does not show the rest[^<]*<\/pre>\n$/u,
    );
  }
});

test('too many texts at once are answered at once', async () => {
  await using rendering = openRendering(fail, { ...usual, waiting: 2 });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => rendering.render('a', { site })),
  );
  const reasons = answers.map(({ reason }) => reason);
  assert.ok(reasons.includes('busy') && reasons.includes(null), reasons.join());
});

test('a fault of the renderer is told, and its text is left as it is', async () => {
  const told: Error[] = [];
  await using rendering = openRendering((error) => told.push(error));
  assert.equal((await rendering.render(1 as never, { site })).reason, 'failed');
  assert.equal(told.length, 1);
});

test('the event loop goes on while a hostile text is worked on', async (t) => {
  await using rendering = openRendering(fail);
  await rendering.render('warm', { site });
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const began = performance.now();
  await rendering.render(hostile, { site, deadlineMs: 1_500 });
  const took = performance.now() - began;
  delays.disable();
  const worst = delays.max / 1e6;
  t.diagnostic(`worst stall ${worst.toFixed(1)} ms in ${took.toFixed(0)} ms`);
  // On an idle machine it is a few milliseconds; see bench/markdown.ts.
  assert.ok(took > 500 && worst < took / 3, `${worst} of ${took} ms`);
});

test('what is not rendered is shown as it was written', () => {
  assert.equal(
    preformat('</pre><script>&amp;"'),
    '<pre class="plain">&lt;/pre&gt;&lt;script&gt;&amp;amp;&quot;</pre>\n',
  );
});

test('a renderer has another name for another address of the service', () => {
  assert.match(rendererFor(site), /^\d+-[0-9a-f]{12}$/);
  assert.notEqual(rendererFor(site), rendererFor({ ...site, mediaBaseUrl: 'https://m.example' }));
});
