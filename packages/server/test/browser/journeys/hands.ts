// How a person works a page: with a mouse at 1280 px, by keyboard alone, or by touch at 390 px.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Device } from '../people.ts';

export interface FileGiven {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** One way to work a page. A journey is written once, with these. */
export interface Hand {
  press(target: Locator): Promise<void>;
  /** Types at the end of what a field has. */
  type(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a select by its value. */
  pick(select: Locator, value: string): Promise<void>;
  /** Chooses a radio button or ticks a box. */
  tick(box: Locator): Promise<void>;
  /** Presses a button that asks for a file, and gives one. */
  give(button: Locator, file: FileGiven): Promise<void>;
}

const tabsMax = 200;

interface Focus {
  /** Where the element is from the focus. */
  readonly place: 'here' | 'before' | 'after';
  /** Whether the focus is in the text of the editor. */
  readonly inText: boolean;
}

/** Asked at each press of a key, so all in one question to the browser. */
function focusSeenFrom(target: Locator): Promise<Focus> {
  return target.evaluate((element): Focus => {
    const focused = document.activeElement;
    const inText = focused?.matches('.cm-content') === true;
    const isRadio = (one: unknown): one is HTMLInputElement =>
      one instanceof HTMLInputElement && one.type === 'radio';
    if (focused === element) return { place: 'here', inText };
    // The buttons of a group are one stop of the keyboard.
    if (isRadio(focused) && isRadio(element) && focused.name === element.name)
      return { place: 'here', inText };
    if (focused === null || focused === document.body) return { place: 'after', inText };
    const isBefore = focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
    return { place: isBefore ? 'before' : 'after', inText };
  });
}

/** Moves the focus as a person does who has no mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < tabsMax; presses += 1) {
    const { place, inText } = await focusSeenFrom(target);
    if (place === 'here') return;
    // In the text, Tab indents.
    if (inText) await page.keyboard.press('Escape');
    await page.keyboard.press(place === 'before' ? 'Shift+Tab' : 'Tab');
  }
  assert.fail(`The keyboard does not reach ${String(target)} on ${page.url()}.`);
}

/** A toolbar is one stop; arrows move in it. */
async function focusInToolbar(page: Page, target: Locator): Promise<void> {
  const bar = page.getByRole('toolbar').filter({ has: target });
  if ((await bar.count()) === 0) {
    await tabTo(page, target);
    return;
  }
  await tabTo(page, bar.locator('[tabindex="0"]'));
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await focusSeenFrom(target)).place === 'here') return;
    await page.keyboard.press('ArrowRight');
  }
  assert.fail(`Arrows do not reach ${String(target)}.`);
}

const isChosen = (target: Locator) =>
  target.evaluate((one) => one instanceof HTMLInputElement && one.checked);

async function pressUntil(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < tabsMax && !(await isDone()); presses += 1)
    await page.keyboard.press(key);
  assert.ok(await isDone(), `${key} does not lead there.`);
}

/** Waits until what is to be pressed does something: buttons of passkeys are disabled before. */
const waitEnabled = (target: Locator) =>
  target.elementHandle().then((element) => element?.waitForElementState('enabled'));

async function giveAfter(page: Page, pressed: Promise<void>, file: FileGiven): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), pressed]);
  await chooser.setFiles(file);
}

function byKeyboard(page: Page): Hand {
  const press = async (target: Locator) => {
    await target.waitFor();
    await waitEnabled(target);
    await focusInToolbar(page, target);
    await page.keyboard.press('Enter');
  };
  return {
    press,
    type: async (target, text) => {
      await tabTo(page, target);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
    },
    pick: async (select, value) => {
      await tabTo(page, select);
      await page.keyboard.press('Home');
      await pressUntil(page, 'ArrowDown', async () => (await select.inputValue()) === value);
    },
    tick: async (box) => {
      await tabTo(page, box);
      await page.keyboard.press('Space');
      await pressUntil(page, 'ArrowDown', () => isChosen(box));
    },
    give: (button, file) => giveAfter(page, press(button), file),
  };
}

function byPointer(page: Page, press: (target: Locator) => Promise<void>): Hand {
  return {
    press,
    type: async (target, text) => {
      await press(target);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
    },
    pick: async (select, value) => {
      await press(select);
      await select.selectOption(value);
    },
    tick: press,
    give: (button, file) => giveAfter(page, press(button), file),
  };
}

export interface Way {
  readonly name: string;
  readonly device: Device;
  readonly hand: (page: Page) => Hand;
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

export const mouse: Way = {
  name: 'with a mouse',
  device: {},
  hand: (page) => byPointer(page, (target) => target.click()),
};

export const otherWays: readonly Way[] = [
  { name: 'by keyboard alone', device: {}, hand: byKeyboard },
  {
    name: 'by touch at 390 px',
    device: phone,
    hand: (page) => byPointer(page, (target) => target.tap()),
  },
];
