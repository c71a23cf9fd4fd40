// The dialog that asks a writer to sign in again: once for all requests, with the true reason, and back to the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pngOf } from '#test/media-files';
import { noBrowser } from '../browser.ts';
import { openEditor, save, typeAtEnd, typedIn } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const writing = writingIn();

const dialogIn = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
const signInButton = (page: Page) =>
  dialogIn(page).getByRole('button', { name: 'Sign in with a passkey' });

test('signed in again, what is typed next is in the text', options, async () => {
  await using person = await writing.people.join();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'before');
  await save(page);
  await person.endSession();
  await page.keyboard.type(' and after');
  await page.keyboard.press('Control+s');
  await signInButton(page).press('Enter');
  await dialogIn(page).waitFor({ state: 'hidden' });
  await page.keyboard.type(', and more');
  assert.equal(await typedIn(page), 'before and after, and more');
  assert.deepEqual(complaints, []);
});

test('a service that cannot be reached is not a passkey that was not used', options, async () => {
  await using person = await writing.people.join();
  const { page } = person;
  await openEditor(page);
  await typeAtEnd(page, 'before');
  await person.endSession();
  await page.keyboard.press('Control+s');
  await page.route('**/-/sign-in/begin', (route) => route.abort(), { times: 1 });
  await signInButton(page).press('Enter');
  await dialogIn(page).getByText('The service cannot be reached.').waitFor();
  await signInButton(page).press('Enter');
  await dialogIn(page).waitFor({ state: 'hidden' });
});

test('two pictures of a session that has ended: one dialog asks', options, async () => {
  await using person = await writing.people.join();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'Before.');
  await save(page);
  await person.endSession();
  const png = (name: string) => ({ name, mimeType: 'image/png', buffer: pngOf(40, 30) });
  await page.locator('#files').setInputFiles([png('one.png'), png('two.png')]);
  await signInButton(page).last().press('Enter');
  await dialogIn(page).waitFor({ state: 'hidden' });
  const described = page.getByRole('dialog', { name: 'Describe the images' });
  await described.getByRole('button', { name: 'Add to the text' }).click();
  await page.locator('#preview img').nth(1).waitFor();
  assert.deepEqual(complaints, []);
});
