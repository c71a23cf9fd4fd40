// What is typed while a comment is being sent stays, even if the comment is shown on another page of the list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comment } from '#test/comments';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';

test(
  'text typed during the sending of a comment stays on a later page too',
  { skip: noBrowser },
  async () => {
    await using people = await openPeople();
    const { server } = people;
    const authors = await Promise.all(Array.from({ length: 6 }, () => server.register()));
    const [first] = authors;
    assert.ok(first);
    const { id, url } = await server.published(first);
    // More than a page of them.
    for (let n = 0; n < 54; n += 1)
      await comment(server, authors[n % 6] ?? first, id, { content: `Comment ${n}` });
    await using person = await people.join();
    const { page } = person;
    await page.goto(url);
    const field = page.getByLabel('Write a comment');
    await page.route(/form=comment/, async (route) => {
      await field.fill('First, and more.');
      await route.continue();
    });
    await field.fill('First.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment').getByText('First.').waitFor();
    assert.match(page.url(), /cursor=/);
    assert.equal(await field.inputValue(), 'First, and more.');
    assert.deepEqual(person.complaints, []);
  },
);
