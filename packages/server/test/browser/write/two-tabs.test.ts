// Two tabs write in turn, at random: all that was typed is in some revision. A long run goes on for a minute.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { effort } from '#test/effort';
import { noBrowser } from '../browser.ts';
import { articleOf, openEditor, save, typeAtEnd } from './editor.ts';
import { writingIn } from './writing.ts';
import { seed } from '../../seed.ts';

const turns = effort(8, 350);

const writing = writingIn();

const choices = ['Keep mine', 'Take the other one', 'Put both in the text'] as const;

interface Turn {
  readonly tab: number;
  readonly key: string;
  readonly saves: boolean;
  readonly choice: (typeof choices)[number];
}

const turn: fc.Arbitrary<Turn> = fc.record({
  tab: fc.nat({ max: 1 }),
  key: fc.constantFrom('Control+Home', 'Control+End', 'ArrowUp', 'ArrowDown'),
  saves: fc.boolean(),
  choice: fc.constantFrom(...choices),
});

/** Saves, and chooses where the texts differ. Resolves when the service has the text. */
async function settle(page: Page, choice: string): Promise<void> {
  await page.keyboard.press('Control+s');
  const [saved, view] = [
    page.locator('#status[data-state="saved"]'),
    page.locator('.editor-other'),
  ];
  await saved.or(view).first().waitFor();
  while (await view.isVisible()) {
    await view.getByRole('button', { name: choice }).click();
    await saved.or(view).first().waitFor();
  }
}

test(`two tabs write in turn (seed ${seed})`, { skip: noBrowser }, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'One line.\n\nAnother line.\n\nThe last line.');
  await save(page);
  const id = articleOf(page);
  const tabs = [page, await page.context().newPage()] as const;
  await openEditor(tabs[1], `/write/${id}`);
  const typed: string[] = [];
  const all = fc.sample(turn, { numRuns: turns, seed });
  for (const [index, { tab: at, key, saves, choice }] of all.entries()) {
    const tab = tabs[at as 0 | 1];
    await tab.bringToFront();
    if (await tab.locator('.editor-other').isVisible()) await settle(tab, choice);
    await tab.locator('.cm-content').focus();
    await tab.keyboard.press(key);
    // Between two words: what is typed inside one that is not saved yet would never be found in one piece.
    if (key.startsWith('Arrow')) await tab.keyboard.press('Home');
    const words = `${'ab'[at]}${index}x `;
    await tab.keyboard.type(words);
    typed.push(words.trim());
    if (saves) await settle(tab, choice);
  }
  for (const tab of tabs) await settle(tab, 'Put both in the text');
  const texts = (await writing.writer.revisions(id)).map(({ content }) => content);
  for (const words of typed) {
    assert.ok(
      texts.some((text) => text.includes(words)),
      `${words} is in a revision`,
    );
  }
  assert.deepEqual(complaints, []);
});
