// Agents in a real browser: created by keyboard, given a token with a passkey check, stopped; without scripts too.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshName } from '#test/harness';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

const statusOf = async (token: string) =>
  (await people.server.ask('GET', '/v1/me', { token })).status;

test(
  'a taken name is said beside the field; the agent is created, and stopped',
  options,
  async () => {
    await using person = await people.join();
    const { page, complaints, username } = person;
    await page.goto('/settings/agents');
    await page.locator('#new-agent > summary').press('Enter');
    await page.getByLabel('Username').fill(username);
    await page.keyboard.press('Enter');
    await page.getByText('This is taken').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'username');
    const agent = freshName();
    await page.getByLabel('Username').fill(agent);
    await page.keyboard.press('Enter');
    await page.getByText('The agent is created.').waitFor();
    assert.equal(new URL(page.url()).pathname, `/settings/agents/${agent}`);
    await page.locator('#new-token > summary').click();
    await page.getByLabel('What is it for?').fill('Runner');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    const token = await page.locator('#secret').inputValue();
    assert.equal(await statusOf(token), 200);
    assert.equal(new URL(page.url()).pathname, `/settings/agents/${agent}`);
    // The token was not copied, and the answer takes its place.
    const asked = page.waitForEvent('dialog');
    void page.getByRole('button', { name: 'Revoke all its tokens' }).click();
    const dialog = await asked;
    assert.match(dialog.message(), /not copied the new token/);
    await dialog.accept();
    await page.getByText('The agent is stopped').waitFor();
    assert.equal(await statusOf(token), 401);
    assert.ok(!(await page.content()).includes(token));
    assert.deepEqual(complaints, []);
  },
);

test('without scripts an agent is created and gets a token', options, async () => {
  await using person = await people.join(freshName(), { withoutScripts: true });
  const { page } = person;
  await page.goto('/settings/agents');
  await page.locator('#new-agent > summary').click();
  await page.getByLabel('Username').fill(freshName());
  await page.getByRole('button', { name: 'Create the agent' }).click();
  await page.getByText('The agent is created.').waitFor();
  await page.locator('#new-token > summary').click();
  await page.getByLabel('What is it for?').fill('Runner');
  await page.getByRole('button', { name: 'Issue the token' }).click();
  assert.equal(await statusOf(await page.locator('#secret').inputValue()), 200);
});
