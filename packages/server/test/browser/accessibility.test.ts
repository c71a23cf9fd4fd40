// Every page and state of the tour: no violation of WCAG that axe-core finds, in light and dark, and nothing that does not fit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axeCore from 'axe-core';
import { patternOf } from '#test/forms/walk';
import { webRoutes } from '#web';
import type { Page } from 'playwright-core';
import { drawSample } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { noBrowser } from './browser.ts';
import { misfits } from './layout.ts';
import { openPeople } from './people.ts';
import type { People, Person } from './people.ts';
import { smallWorld, tourOf } from './tour.ts';
import type { Stop } from './tour.ts';

const options = { skip: noBrowser };

let people: People;
let stops: readonly Stop[];
let visitors: Readonly<Record<Stop['who'], Person>>;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const { world, reader, moderator } = await smallWorld(people);
  stops = tourOf(world);
  visitors = { stranger: await people.visit(), person: reader, moderator };
});
after(() => people?.[Symbol.asyncDispose]());

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const { source: axe } = axeCore;

/** Only colours differ between light and dark. Targets of 24 pixels are a rule of WCAG 2.2 that is off by default. */
const rules = {
  light: "{ rules: { 'target-size': { enabled: true } } }",
  dark: "{ runOnly: ['color-contrast'] }",
} as const;

/** Past the policy of the page: the debugger is not bound by it. */
async function violations(page: Page, scheme: keyof typeof rules): Promise<readonly string[]> {
  const run = `axe.run(document, ${rules[scheme]}).then(({ violations }) => violations)`;
  const found: readonly Violation[] = await page.evaluate(`(() => { ${axe}; return ${run} })()`);
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''} ${nodes[0]?.failureSummary ?? ''}`,
  );
}

test('axe-core finds a violation where there is one', options, async () => {
  await using visitor = await people.visit();
  await visitor.page.setContent('<p style="color: #999; background: #888">Text</p><img src="x">');
  const found = (await violations(visitor.page, 'light')).map((fault) => fault.split(':')[0]);
  assert.ok(found.includes('image-alt') && found.includes('color-contrast'), found.join(', '));
  assert.match((await violations(visitor.page, 'dark')).join(), /color-contrast/);
});

test('the tour meets every page', options, () => {
  const met = new Set(stops.map(({ path }) => patternOf(path)));
  const isFile = (path: string) =>
    /\.(?:atom|rss|json|md|xml|txt|ico)$|^\/oembed$|^\/assets\//.test(path);
  const redirects = new Set([
    '/comments/{id}',
    '/account',
    '/moderation/next',
    '/moderation/standing',
  ]);
  const missing = webRoutes.filter(
    ({ method, path }) =>
      method === 'GET' && !isFile(path) && !redirects.has(path) && !met.has(path),
  );
  assert.deepEqual(missing, [], 'add it to test/browser/tour.ts');
});

test('what does not fit is found where something does not', options, async () => {
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.setContent(`<header class="top"><a>One</a><br><br><a>Two</a><br><br><a>Three</a></header>
    <div style="width: 800px">x</div>
    <nav style="overflow: auto; width: 50px"><a style="display: block; width: 90px">Cut</a></nav>
    <div style="overflow: auto; width: 50px"><a style="display: block; width: 90px">Scrolls</a></div>
    <select id="short" style="width: 60px"><option>A long option<option>A</select>
    <button style="width: 30px; white-space: nowrap; overflow: hidden">A long text</button>
    <svg class="chart" width="40" height="9"><text x="30" y="9">Label</text></svg>`);
  const all = await misfits(page);
  const at = (width: number) => all.filter((one) => one.startsWith(`at ${width} px:`));
  const words = [/ the page is \d+ px/, /the header has 3 rows/, /cut off: <a /, /#short/];
  for (const found of [
    ...words,
    /<div > does not show/,
    /px of “A long text” cut off/,
    /beyond its picture/,
  ])
    assert.equal(
      at(360).filter((one) => found.test(one)).length,
      1,
      `${found} in ${at(360).join()}`,
    );
  assert.equal(at(360).length, 7);
  assert.equal(at(1280).length, 6, 'the page is wide enough there');
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`no violation on any page, ${colorScheme}`, options, async () => {
    const faults: string[] = [];
    for (const { name, path, who, reach } of drawSample(stops, 10)) {
      const { page } = visitors[who];
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await reach?.(page);
      const found = [...(await violations(page, colorScheme))];
      // Nothing moves between light and dark.
      if (colorScheme === 'light') found.push(...(await misfits(page)));
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
    assert.deepEqual(faults, [], `SEED=${seed}`);
  });

test('no page was refused anything by its own policy, and no script failed', options, () => {
  const complaints = Object.values(visitors).flatMap((one) => one.complaints);
  assert.deepEqual(complaints, []);
});
