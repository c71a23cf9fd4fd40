// The journeys of people through the application, from the front page on. Each is written once, for every way.
import assert from 'node:assert/strict';
import { pngOf } from '#test/media-files';
import type { People } from '../people.ts';
import type { Way } from './hands.ts';
import { arrive, join } from './traveller.ts';
import type { Traveller } from './traveller.ts';

type Journey = (people: People, way: Way) => Promise<void>;

const words = 'Whatever the water did not want, it leaves on the stones.';

/** Writes an article with an image and publishes it. Returns its path. */
async function publishWithImage(own: Traveller, title: string): Promise<string> {
  const { hand, page } = own;
  await hand.press(own.inHeader('Write'));
  await own.see(page.locator('.editor[data-ready]'));
  await hand.type(page.getByLabel('Title'), title);
  await hand.type(page.locator('.cm-content'), words);
  const file = { name: 'stones.png', mimeType: 'image/png', buffer: pngOf(640, 400) };
  await hand.give(own.button('Image: add images'), file);
  const dialog = page.getByRole('dialog', { name: 'Describe the image' });
  await hand.type(dialog.getByLabel('stones.png'), 'Wet stones');
  await hand.press(dialog.getByRole('button', { name: 'Add to the text' }));
  await page.locator('.cm-content').getByText('![Wet stones](').waitFor();
  await hand.press(own.button('Save draft'));
  await own.see(page.locator('#status[data-state="saved"]'));
  await hand.press(page.locator('#links').getByRole('link', { name: 'Preview' }));
  await own.see(page.getByText('Only you can see this page'));
  const image = page.getByRole('img', { name: 'Wet stones' });
  assert.ok(await image.evaluate((one: HTMLImageElement) => one.decode().then(() => true)));
  await hand.press(page.getByRole('navigation', { name: 'This article' }).getByText('Publish'));
  await own.see(page.getByRole('heading', { name: 'Publish', level: 1 }));
  await hand.type(page.getByLabel('Topic 1', { exact: true }), 'Tides');
  await hand.press(own.button('Publish'));
  await own.see(page.getByRole('heading', { name: title, level: 1 }));
  return own.path();
}

/** Goes to an article from the front page, which lists it within seconds. */
async function find(own: Traveller, title: string): Promise<void> {
  const { hand, page } = own;
  await hand.press(page.locator('#top').getByRole('link', { name: 'Latest' }));
  // A reload while the page is left is refused by the browser.
  await page.waitForURL((url) => url.pathname === '/');
  await own.see(own.heading('Latest'));
  for (let loads = 0; loads < 50 && (await own.link(title).count()) === 0; loads += 1)
    await page.reload();
  await hand.press(own.link(title));
  await own.see(page.getByRole('heading', { name: title, level: 1 }));
}

async function answer(
  own: Traveller,
  field: 'comment' | 'reply',
  said: { readonly text: string; readonly stance: string },
): Promise<void> {
  const { hand, page } = own;
  const [stance, button] =
    field === 'comment' ? ['#stance', 'Comment'] : ['#reply-stance', 'Reply'];
  await hand.type(page.locator(`#${field}`), said.text);
  await hand.pick(page.locator(stance), said.stance);
  await hand.press(own.button(button));
  await own.see(page.locator('.comment').getByText(said.text));
}

/** Follows the news of an answer. It was counted in the header without a reload. */
async function openNews(own: Traveller, words: string): Promise<void> {
  const { hand, page } = own;
  await own.see(page.locator('#top').getByText('1 unread'));
  await hand.press(own.inHeader('Notifications'));
  await own.see(own.heading('Notifications'));
  await hand.press(own.link(words).first());
}

async function reportComment(own: Traveller): Promise<void> {
  const { hand, page } = own;
  await hand.press(page.locator('.comment').getByRole('link', { name: 'Report' }).first());
  await own.see(own.heading('Report this comment'));
  await hand.tick(page.getByRole('radio', { name: 'Something else' }));
  await hand.type(page.getByLabel('Tell us more'), 'It is about me.');
  await hand.press(own.button('Send report'));
  await own.see(own.heading('Thank you'));
  await hand.press(own.link('Back to the comment'));
}

/** Two people: one writes and publishes, the other answers, links, follows and reports. */
export const publishAndAnswer: Journey = async (people, way) => {
  await using ada = await arrive(people, way);
  await using ben = await arrive(people, way);
  await join(ada);
  const title = `What the tide leaves, by ${ada.username}`;
  const path = await publishWithImage(ada, title);
  await join(ben);
  const other = `An answer by ${ben.username}`;
  await publishWithImage(ben, other);
  await find(ben, title);
  assert.equal(ben.path(), path);
  await answer(ben, 'comment', { text: 'Have you seen the north?', stance: 'asks' });
  await openNews(ada, 'commented');
  await ada.see(ada.page.getByText('Have you seen the north?'));
  await ada.hand.press(ada.link(`Reply to @${ben.username}`));
  await answer(ada, 'reply', { text: 'Yes, last summer.', stance: 'clarifies' });
  await openNews(ben, 'replied to your comment');
  await ben.see(ben.page.locator('.comment').getByText('Yes, last summer.'));
  await ben.hand.press(ben.link('Link one of your articles to this one'));
  await ben.hand.pick(ben.page.getByLabel('How are they linked?'), 'replies_to');
  await ben.hand.press(ben.button('Add link'));
  await ben.see(ben.page.getByText('Answered by'));
  await ben.hand.press(ben.button(`Follow @${ada.username}`));
  await ben.see(ben.button(`Unfollow @${ada.username}`));
  await reportComment(ben);
  await ada.page.reload();
  await ada.see(ada.link(other));
  ada.assertQuiet();
  ben.assertQuiet();
};

/** An owner makes an agent and a token; the agent drafts through the API; the owner publishes the draft. */
export const letAgentPublish: Journey = async (people, way) => {
  await using own = await arrive(people, way);
  const { hand, page } = own;
  await join(own);
  await hand.press(own.inHeader('Settings'));
  await hand.press(own.link('Agents'));
  await hand.press(page.locator('#new-agent > summary'));
  const agent = `of-${own.username}`.slice(0, 30);
  await hand.type(page.getByLabel('Username'), agent);
  await hand.press(own.button('Create the agent'));
  await own.see(page.getByText('The agent is created.'));
  await hand.press(page.locator('#new-token > summary'));
  await hand.type(page.getByLabel('What is it for?'), 'Drafts');
  await hand.tick(page.getByLabel('articles:write'));
  await hand.press(own.button('Issue the token'));
  await own.see(page.locator('#secret'));
  const token = await page.locator('#secret').inputValue();
  const body = { title: 'Found on the shore', content: 'By a machine.' };
  const drafted = await people.server.ask('POST', '/v1/articles', { token, key: true, body });
  assert.equal(drafted.status, 201);
  await hand.press(own.inHeader('Write'));
  await own.see(page.locator('.editor[data-ready]'));
  await hand.press(own.link('Your articles'));
  await hand.press(own.link('By your agents'));
  await hand.press(own.link('Review “Found on the shore”'));
  await own.see(page.getByRole('heading', { name: 'Found on the shore', level: 1 }));
  await hand.press(own.button('Publish it'));
  await page.waitForURL(/found-on-the-shore-/);
  const { body: article } = await people.server.ask('GET', `/v1/articles/${drafted.body.id}`);
  assert.equal(article.author.username, agent);
  own.assertQuiet();
};

/** A recovery code on another device, another passkey there, signing out everywhere, in again, and closing. */
export const recoverAndClose: Journey = async (people, way) => {
  await using first = await arrive(people, way);
  const [code = ''] = await join(first);
  await using own = await arrive(people, way);
  const { hand, page } = own;
  await hand.press(own.inHeader('Sign in'));
  await hand.press(page.getByText('I have lost my passkeys'));
  await hand.type(page.getByLabel('Username'), first.username);
  await hand.type(page.getByLabel('Recovery code'), code);
  await hand.press(own.button('Sign in with the code'));
  await own.see(page.getByText('You have 9 unused codes.'));
  await hand.press(own.button('Add a passkey'));
  await page.locator('.remove-passkey').nth(1).waitFor();
  await hand.press(own.button('Sign out everywhere'));
  await own.see(own.inHeader('Sign in'));
  const there = await first.page.request.get('/settings', { maxRedirects: 0 });
  assert.match(there.headers()['location'] ?? '', /sign-in/, 'the other device is signed out');
  await hand.press(own.inHeader('Sign in'));
  // The browser offers the new passkey in the field, and it signs in.
  await own.see(own.heading('Latest'));
  await hand.press(own.inHeader('Settings'));
  await own.see(own.heading('Settings'));
  await hand.press(own.link('Close account'));
  await hand.tick(page.getByLabel('Keep them without your name'));
  await hand.type(page.getByLabel('Type “close” to confirm'), 'close');
  await hand.press(own.button('Close my account for good'));
  await own.see(own.heading('Your account is closed'));
  first.assertQuiet();
  own.assertQuiet();
};
