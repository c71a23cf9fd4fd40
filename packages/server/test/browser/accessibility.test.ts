// Every page and state of the tour has no violation of WCAG that axe-core finds, in light and dark.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { sampled, seed } from '../faults/sampled.ts';
import { noBrowser } from './browser.ts';
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

/** Only colours differ between light and dark. */
const rules = { light: '{}', dark: "{ runOnly: ['color-contrast'] }" } as const;

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

for (const colorScheme of ['light', 'dark'] as const)
  test(`no violation on any page, ${colorScheme}`, options, async () => {
    const faults: string[] = [];
    for (const { name, path, who, reach } of sampled(stops, 10)) {
      const { page } = visitors[who];
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await reach?.(page);
      faults.push(...(await violations(page, colorScheme)).map((fault) => `${name}: ${fault}`));
    }
    assert.deepEqual(faults, [], `SEED=${seed}`);
  });

test('no page was refused anything by its own policy, and no script failed', options, () => {
  const complaints = Object.values(visitors).flatMap((one) => one.complaints);
  assert.deepEqual(complaints, []);
});
