// Answering in a real browser: comments, replies and their deletion, with and without scripts, by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { comment } from '#test/comments';
import { freshName } from '#test/harness';
import { drawSample } from '../faults/sampled.ts';
import { noBrowser } from './browser.ts';
import { misfits } from './layout.ts';
import { openPeople } from './people.ts';
import type { Device, People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

async function anArticle() {
  const author = await people.server.register();
  const made = await people.server.published(author);
  return { author, id: String(made.id), path: new URL(String(made.url)).pathname };
}

/** Marks the page, to see later that it was not loaded again. */
async function mark(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => document.body.setAttribute('data-kept', ''));
  return () => page.locator('[data-kept]').count();
}

/** Writes a comment, a reply to it, and deletes both, with the mouse. */
async function journey(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Write a comment').fill('I saw it *too*.');
  await page.getByLabel('Stance').selectOption('supports');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByText('I saw it too.').waitFor();
  assert.ok(await page.getByText('supports', { exact: true }).isVisible());
  assert.equal(await page.getByLabel('Write a comment').inputValue(), '');
  await page.reload();
  await page.getByText('I saw it too.').waitFor();
  await page.getByRole('link', { name: 'Reply' }).click();
  await page.locator('#reply').fill('So did I.');
  await page.locator('#reply-stance').selectOption('clarifies');
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.getByText('So did I.').waitFor();
  assert.equal(await page.locator('#reply').count(), 0);
  for (const left of [1, 0]) {
    await page.getByText('Delete', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Delete for good' }).first().click();
    await page
      .getByText('This comment was deleted')
      .nth(1 - left)
      .waitFor();
    assert.equal(await page.getByText('Delete', { exact: true }).count(), left);
  }
}

const devices: Readonly<Record<string, Device>> = {
  'with scripts': {},
  'without scripts': { withoutScripts: true },
  'on a phone': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
};

for (const [name, device] of drawSample(Object.entries(devices), 1)) {
  test(`a comment, a reply, and their deletion, ${name}`, options, async () => {
    await using person = await people.join(freshName(), device);
    const { path } = await anArticle();
    await journey(person.page, path);
    const wide = await person.page.evaluate(
      'document.documentElement.scrollWidth - window.innerWidth',
    );
    if (device.withoutScripts !== true) assert.ok(Number(wide) <= 0, 'nothing is too wide');
    assert.deepEqual(person.complaints, []);
  });
}

test(
  'a comment appears without a reload, and another form keeps what was typed',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    const { author, id, path } = await anArticle();
    const [one, two] = [
      await comment(people.server, author, id, { content: 'One' }),
      await comment(people.server, author, id, { content: 'Two' }),
    ];
    await page.goto(path);
    const kept = await mark(page);
    await page.getByLabel('Write a comment').fill('Not sent yet');
    await page.locator(`#comment-${one.id}`).getByRole('link', { name: 'Reply' }).click();
    await page.locator('#reply').fill('My reply');
    // The form moves to the other comment with what was typed.
    await page.locator(`#comment-${two.id}`).getByRole('link', { name: 'Reply' }).click();
    const form = page.locator(`#comment-${two.id} form`).first();
    await form.waitFor();
    assert.equal(await page.locator('#reply').inputValue(), 'My reply');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByText('My reply').waitFor();
    assert.equal(await page.getByLabel('Write a comment').inputValue(), 'Not sent yet');
    assert.equal(await kept(), 1, 'the page was not loaded again');
    assert.match(await page.evaluate('document.activeElement.id'), /^comment-/);
    assert.deepEqual(complaints, []);
  },
);

test('by keyboard alone: a comment, a reply, closing the form, deletion', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  const { path } = await anArticle();
  await page.goto(path);
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      );
      if (text === name) return;
    }
    assert.fail(`Tab does not reach ${name}.`);
  };
  await tabTo('Write a comment');
  await page.keyboard.type('By hand');
  await tabTo('Stance');
  await page.keyboard.type('Asks');
  await tabTo('Comment');
  await page.keyboard.press('Enter');
  await page.getByText('asks', { exact: true }).waitFor();
  await tabTo('Reply');
  await page.keyboard.press('Enter');
  await page.locator('#reply:focus').waitFor();
  await tabTo('Cancel');
  await page.keyboard.press('Enter');
  await page.locator('#reply').waitFor({ state: 'detached' });
  assert.match(await page.evaluate('document.activeElement.id'), /^comment-/);
  await tabTo('Reply');
  await page.keyboard.press('Enter');
  await page.locator('#reply:focus').waitFor();
  await page.keyboard.type('To myself');
  await tabTo('Reply');
  await page.keyboard.press('Enter');
  await page.getByText('To myself').waitFor();
  await tabTo('Delete');
  await page.keyboard.press('Enter');
  await tabTo('Delete for good');
  await page.keyboard.press('Enter');
  await page.getByText('This comment was deleted').waitFor();
  assert.deepEqual(complaints, []);
});

test('following the author of an article stays on the article', options, async () => {
  await using person = await people.join();
  const { page, complaints } = person;
  const { author, path } = await anArticle();
  await page.goto(path);
  const kept = await mark(page);
  await page.getByRole('button', { name: `Follow @${author.username}` }).click();
  await page.getByRole('button', { name: `Unfollow @${author.username}` }).waitFor();
  assert.equal(await kept(), 1);
  assert.deepEqual(complaints, []);
});

test(
  'a refused comment says why beside its field, and sends when it is corrected',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints } = person;
    const { path } = await anArticle();
    await page.goto(path);
    const field = page.getByLabel('Write a comment');
    const long = 'x'.repeat(10_007);
    await field.focus();
    await page.keyboard.insertText(long);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('This must have at most 8192 characters; it has 10007').waitFor();
    assert.equal(await field.inputValue(), long);
    assert.equal(await page.evaluate('document.activeElement.id'), 'comment');
    await field.fill('Short');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Short', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  'Ctrl+Enter and Cmd+Enter send a comment and a reply; Enter alone begins a line',
  options,
  async () => {
    const { path } = await anArticle();
    await using person = await people.join();
    const { page, complaints } = person;
    await page.goto(path);
    await page.getByLabel('Write a comment').fill('First line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('second line');
    await page.keyboard.press('Control+Enter');
    await page.locator('.comment .prose', { hasText: /First line\s+second line/ }).waitFor();
    await page.getByRole('link', { name: 'Reply' }).click();
    await page.locator('#reply').fill('A reply by keys.');
    await page.keyboard.press('Meta+Enter');
    await page.locator('.comment .prose', { hasText: 'A reply by keys.' }).waitFor();
    assert.equal(await page.locator('.comment').count(), 2, 'each was sent once');
    assert.deepEqual(complaints, []);
  },
);

test('“Delete” below a comment stays where it is when it is pressed', options, async () => {
  const { path } = await anArticle();
  await using person = await people.join(undefined, { viewport: { width: 320, height: 800 } });
  const { page } = person;
  await page.goto(path);
  await page.getByLabel('Write a comment').fill('Seen.');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const remove = page.locator('.comment summary');
  await remove.waitFor();
  const placeOf = () =>
    remove.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return { left, top: top + window.scrollY };
    });
  const closed = await placeOf();
  await remove.click();
  await page.getByRole('button', { name: 'Delete for good' }).waitFor();
  assert.deepEqual(await placeOf(), closed);
  assert.deepEqual(await misfits(page), []);
});

test('a reader who signs in to reply is in the form of the reply', options, async () => {
  const { author, id, path } = await anArticle();
  await comment(people.server, author, id);
  await using person = await people.join();
  const { page, complaints } = person;
  // As a browser that offers no passkeys in fields: the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await person.endSession();
  await page.goto(path);
  await page.getByRole('link', { name: `Sign in to reply to @${author.username}` }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('#reply:focus').waitFor();
  assert.ok(await page.getByRole('textbox', { name: `Reply to @${author.username}` }).isVisible());
  assert.deepEqual(complaints, []);
});
