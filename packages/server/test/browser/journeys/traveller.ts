// A person on a journey: signed in with a passkey, working pages in one way; every page must fit its screen.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { freshName } from '#test/harness';
import type { People, Person } from '../people.ts';
import type { Hand, Way } from './hands.ts';

export interface Traveller extends AsyncDisposable {
  readonly page: Page;
  readonly username: string;
  readonly hand: Hand;
  /** Goes on once this is shown; the page must not be wider than the screen. */
  see(shown: Locator): Promise<void>;
  link(name: string | RegExp): Locator;
  button(name: string | RegExp): Locator;
  heading(name: string | RegExp): Locator;
  /** A link in the header of every page. */
  inHeader(name: string): Locator;
  /** The path of the page. */
  path(): string;
  /** Ends well if no script failed and no policy refused anything. */
  assertQuiet(): void;
}

/** Opens a browser at the front page, signed out. */
export async function arrive(people: People, way: Way): Promise<Traveller> {
  const person: Person = await people.visit(way.device);
  const { page } = person;
  const see = async (shown: Locator) => {
    await shown.waitFor();
    // The page may go on to the next one by itself meanwhile.
    await page.waitForFunction('document.documentElement.scrollWidth <= window.innerWidth');
  };
  // Several people and other programs share the processor.
  page.setDefaultTimeout(60_000);
  await page.goto('/');
  return {
    page,
    username: freshName(),
    hand: way.hand(page),
    see,
    link: (name) => page.getByRole('link', { name, exact: true }),
    button: (name) => page.getByRole('button', { name, exact: true }),
    heading: (name) => page.getByRole('heading', { name, exact: true }),
    inHeader: (name) => page.locator('#top').getByRole('link', { name }),
    path: () => new URL(page.url()).pathname,
    assertQuiet: () => assert.deepEqual(person.complaints, []),
    [Symbol.asyncDispose]: () => person[Symbol.asyncDispose](),
  };
}

/** Joins from the front page. Returns the recovery codes. */
export async function join(own: Traveller): Promise<readonly string[]> {
  const { hand, page } = own;
  await hand.press(own.inHeader('Join'));
  await own.see(page.getByRole('heading', { name: 'Join', level: 1 }));
  await hand.type(page.getByLabel('Username'), own.username);
  await hand.press(own.button('Join with a passkey'));
  await own.see(own.heading('Your recovery codes'));
  const codes = await page.locator('#codes li').allInnerTexts();
  await hand.press(own.link('I have kept them. Go on'));
  await own.see(own.heading('Your articles'));
  return codes;
}
