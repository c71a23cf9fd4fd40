// Writing in a real browser: typed, saved, previewed, undone, by keyboard, on a phone, offline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from '../browser.ts';
import { articleOf, openEditor, save, typeAtEnd, typedIn, waitForStatus } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const writing = writingIn();

test('a new article is saved while it is typed, and gets its address', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await page.getByLabel('Title').fill('Notes on moss');
  await typeAtEnd(page, '# Moss\n\nIt is *green*.');
  assert.equal(await page.locator('#status').textContent(), 'Saved on this device.');
  await waitForStatus(page, 'saved');
  const id = articleOf(page);
  assert.deepEqual(
    [(await writing.writer.newest(id)).title, (await writing.writer.newest(id)).content],
    ['Notes on moss', '# Moss\n\nIt is *green*.'],
  );
  assert.ok(await page.getByRole('link', { name: 'Publish…' }).isVisible());
  await page.reload();
  await page.locator('.editor[data-ready]').waitFor();
  assert.equal(await typedIn(page), '# Moss\n\nIt is *green*.');
  assert.equal(await page.getByLabel('Title').inputValue(), 'Notes on moss');
  assert.deepEqual(complaints, []);
});

test(
  'Enter in the title leads to the text, and “Publish…” saves a new article first',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    const publish = page.getByRole('link', { name: 'Publish…' });
    await page.getByLabel('Title').focus();
    await page.keyboard.type('On Enter');
    await publish.click();
    await page.locator('#status', { hasText: 'Write some text first.' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/write');
    await page.getByLabel('Title').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('It leads on.');
    assert.equal(await typedIn(page), 'It leads on.');
    assert.equal(await page.getByLabel('Title').inputValue(), 'On Enter');
    await publish.click();
    await page.getByRole('heading', { name: 'Publish', level: 1 }).waitFor();
    await page.getByText('It leads on.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'On Enter' }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.locator('.editor[data-ready]').waitFor();
    assert.equal(await typedIn(page), 'It leads on.');
    assert.deepEqual(complaints, []);
  },
);

test('lists go on, formats are toggled, undo takes them back', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, '- one\ntwo\n\n\n1. a\nb\n\n\nsome words');
  assert.equal(await typedIn(page), '- one\n- two\n\n1. a\n2. b\n\nsome words');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.keyboard.press('Control+b');
  assert.match(await typedIn(page), /some \*\*words\*\*$/);
  await page.getByRole('button', { name: 'Bold' }).click();
  assert.match(await typedIn(page), /some words$/);
  await page.getByRole('button', { name: 'Quote' }).click();
  assert.match(await typedIn(page), /\n> some words$/);
  await page.keyboard.press('Control+z');
  assert.match(await typedIn(page), /\nsome words$/);
  await page.getByText('6 words, 1 minute to read').waitFor();
  assert.deepEqual(complaints, []);
});

test('Escape and Tab leave the text; arrow keys move in the toolbar', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'text');
  await page.keyboard.press('Tab');
  assert.match(await typedIn(page), /^\s+text$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator('.cm-content').evaluate((one) => one.matches(':focus')), false);
  await page.getByRole('button', { name: 'Bold' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Italic');
  const box = page.getByRole('textbox', { name: 'Text, in Markdown' });
  assert.equal(await box.getAttribute('aria-multiline'), 'true');
  assert.equal(await box.getAttribute('spellcheck'), 'true');
  assert.deepEqual(complaints, []);
});

test(
  'offline the text stays on the device, and is sent when the line is back',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'before');
    await save(page);
    await page.context().setOffline(true);
    await typeAtEnd(page, ' and after');
    await page.keyboard.press('Control+s');
    await waitForStatus(page, 'waiting');
    assert.match(
      (await page.locator('#status').textContent()) ?? '',
      /when the connection is back/,
    );
    await page.locator('#links').getByText('Publish…').click();
    await page.getByText('“Publish…” needs a connection').waitFor();
    await page.context().setOffline(false);
    await waitForStatus(page, 'saved');
    await page.getByText('“Publish…” needs a connection').waitFor({ state: 'detached' });
    // Also where all is saved: the browser's own page would take the place of the editor.
    await page.context().setOffline(true);
    await page.locator('#links').getByText('Publish…').click();
    await page.getByText('“Publish…” needs a connection').waitFor();
    await page.context().setOffline(false);
    assert.equal((await writing.writer.newest(articleOf(page))).content, 'before and after');
    assert.deepEqual(complaints, []);
  },
);

test('a published article keeps its text for readers', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'for readers');
  await save(page);
  const id = articleOf(page);
  await writing.writer.session.ask('POST', `/-/v1/articles/${id}/publish`, { key: true, body: {} });
  await page.reload();
  await page.locator('.editor[data-ready]').waitFor();
  await typeAtEnd(page, ', not yet');
  await save(page);
  assert.match((await page.locator('#status').textContent()) ?? '', /until you publish/);
  const { body } = await writing.people.server.ask('GET', `/v1/articles/${id}`);
  assert.equal(body.content, 'for readers');
  assert.deepEqual(complaints, []);
});

test('what cannot be saved is said in words, and stays', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  const { token } = await writing.people.server.register();
  await typeAtEnd(page, `my token is ${token}`);
  await page.keyboard.press('Control+s');
  await waitForStatus(page, 'refused');
  assert.match((await page.locator('#status').textContent()) ?? '', /^Not saved: /);
  await page.locator('.cm-content').fill('no token');
  await save(page);
  assert.equal((await writing.writer.newest(articleOf(page))).content, 'no token');
  assert.deepEqual(complaints, []);
});

test(
  'without scripts it is a form, and a text that was changed elsewhere comes back',
  options,
  async () => {
    await using person = await writing.visit({ withoutScripts: true });
    const { page } = person;
    await page.goto('/write');
    assert.equal(await page.getByRole('toolbar').count(), 0);
    await page.getByLabel('Title').fill('Plain');
    await page.getByLabel('Text, in Markdown').fill('first\nsecond');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft', { exact: true }).waitFor();
    const id = articleOf(page);
    const { revision_id: revision } = await writing.writer.newest(id);
    await writing.writer.session.ask('POST', `/-/v1/articles/${id}/revisions`, {
      key: true,
      headers: { 'if-match': revision },
      body: { content: 'from elsewhere' },
    });
    await page.getByLabel('Text, in Markdown').fill('from here');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { name: 'This article was changed elsewhere' }).waitFor();
    assert.ok(await page.getByText('from elsewhere').isVisible());
    assert.equal(await page.getByLabel('Text, in Markdown').inputValue(), 'from here');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft', { exact: true }).waitFor();
    assert.equal((await writing.writer.newest(id)).content, 'from here');
  },
);
