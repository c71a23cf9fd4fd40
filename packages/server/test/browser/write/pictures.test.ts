// Pictures in the editor: chosen, pasted and dropped, described, too large, of another type, refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pngOf } from '#test/media-files';
import { noBrowser } from '../browser.ts';
import { articleOf, openEditor, save, typeAtEnd, typedIn } from './editor.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };

const writing = writingIn();

const png = (name: string) => ({ name, mimeType: 'image/png', buffer: pngOf(40, 30) });

/** Pastes a file, or drops it. */
async function give(page: Page, kind: 'paste' | 'drop', name: string): Promise<void> {
  const bytes = [...pngOf(30, 20)];
  await page.locator('.cm-content').evaluate(
    (field, { kind: type, name: called, bytes: all }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(all)], called, { type: 'image/png' }));
      const { left, top } = field.getBoundingClientRect();
      const [clientX, clientY] = [left + 5, top + 30];
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', {
              dataTransfer: data,
              clientX,
              clientY,
              bubbles: true,
              cancelable: true,
            });
      field.dispatchEvent(event);
    },
    { kind, name, bytes },
  );
}

const picture = /!\[(.*?)\]\((http:\S+\/media\/([0-9A-Z]{26}))(\?w=\d+)?\)/;

test('several files are uploaded at once, described, and shown', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'Before.');
  await page.locator('#files').setInputFiles([png('one.png'), png('two.png')]);
  const dialog = page.getByRole('dialog', { name: 'Describe the images' });
  await dialog.getByLabel('one.png').fill('Moss on [a] stone');
  await dialog.getByRole('button', { name: 'Add to the text' }).click();
  await page.locator('#preview img').nth(1).waitFor();
  await save(page);
  const { content } = await writing.writer.newest(articleOf(page));
  assert.match(content, /^Before\.\n\n!\[/);
  const pictures = content.trimEnd().split('\n\n').slice(1);
  const found = pictures.map((line) => picture.exec(line));
  const alts = new Set(found.map((one) => one?.[1]));
  assert.deepEqual(alts, new Set(['', String.raw`Moss on \[a\] stone`]));
  const described = found.find((one) => one?.[1] !== '');
  assert.equal(described?.[4], '?w=1280');
  const { body } = await writing.people.server.ask('GET', `/v1/media/${described?.[3]}`);
  assert.equal(body.alt_text, 'Moss on [a] stone');
  const isShown = await page
    .locator('#preview img')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0));
  assert.ok(isShown);
  assert.deepEqual(complaints, []);
});

const altsOf = (content: string) => [...content.matchAll(/!\[(.*?)\]/g)].map(([, alt]) => alt);

test(
  'one image after the other: in this order, and what is typed is behind them',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'Before.\n\nAfter.');
    for (let up = 2; up > 0; up -= 1) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    for (const name of ['first', 'second']) {
      await page.locator('#files').setInputFiles([png(`${name}.png`)]);
      const dialog = page.getByRole('dialog', { name: 'Describe the image' });
      await dialog.getByLabel(`${name}.png`).fill(name);
      await dialog.getByRole('button', { name: 'Add to the text' }).click();
      await page.locator(`#preview img[alt="${name}"]`).waitFor();
    }
    await page.locator('.cm-content').focus();
    await page.keyboard.type('Typed.');
    await save(page);
    const { content } = await writing.writer.newest(articleOf(page));
    const paragraphs = content.replaceAll(/!\[(.*?)\]\S+/g, '$1').split(/\n{2,}/);
    assert.deepEqual(paragraphs, ['Before.', 'first', 'second', 'Typed.', 'After.']);
    assert.deepEqual(complaints, []);
  },
);

test(
  'two images at once stay in their order, even if the second is there first',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'Before.');
    let release = () => {};
    const isSecondThere = new Promise<void>((resolve) => (release = resolve));
    let uploads = 0;
    await page.route('**/-/v1/media', async (route) => {
      uploads += 1;
      if (uploads === 1) await isSecondThere;
      await route.continue();
    });
    await page.locator('#files').setInputFiles([png('first.png'), png('second.png')]);
    await page.locator('.picture-note').nth(1).waitFor();
    const notes = await page.locator('.picture-note').allInnerTexts();
    assert.match(notes.join(' '), /first\.png.*second\.png/);
    const dialog = page.getByRole('dialog', { name: 'Describe the images' });
    for (const name of ['first', 'second']) await dialog.getByLabel(`${name}.png`).fill(name);
    await dialog.getByRole('button', { name: 'Add to the text' }).click();
    await page.locator('#preview img[alt="second"]').waitFor();
    release();
    await page.locator('#preview img[alt="first"]').waitFor();
    await page.locator('.cm-content').focus();
    await page.keyboard.type('Typed.');
    await save(page);
    const { content } = await writing.writer.newest(articleOf(page));
    assert.deepEqual(altsOf(content), ['first', 'second']);
    assert.match(content, /^Before\.\n\n!\S+\n\n!\S+\n\nTyped\.$/);
    assert.deepEqual(complaints, []);
  },
);

for (const kind of ['paste', 'drop'] as const) {
  test(`a file by ${kind}, without a description, in its original size`, options, async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'Text.');
    await give(page, kind, 'given.png');
    const dialog = page.getByRole('dialog', { name: 'Describe the image' });
    const warning = dialog.getByText('The metadata of a photo may say');
    assert.equal(await warning.isVisible(), false, 'no other size has it');
    await dialog.getByLabel('Size').selectOption('');
    assert.ok(await warning.isVisible());
    const boxes = await Promise.all(
      ['Add to the text', 'Cancel'].map((name) =>
        dialog.getByRole('button', { name }).boundingBox(),
      ),
    );
    const [add = assert.fail(), cancel = assert.fail()] = boxes.map((box) => box ?? assert.fail());
    assert.equal(Math.round(cancel.x - add.x - add.width), 8);
    await dialog.getByRole('button', { name: 'Add to the text' }).click();
    await page.locator('#preview img').waitFor();
    const [, alt, , , width] = picture.exec(await typedIn(page)) ?? assert.fail();
    assert.deepEqual([alt, width], ['', undefined]);
    assert.deepEqual(complaints, []);
  });
}

for (const way of ['Escape', 'Cancel'] as const) {
  test(`a picture that is not wanted after all is gone: ${way}`, options, async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'Text.');
    const deleted = page.waitForResponse(
      (one) => one.request().method() === 'DELETE' && /\/-\/v1\/media\/\w+$/.test(one.url()),
    );
    await page.locator('#files').setInputFiles([png('wrong.png')]);
    const dialog = page.getByRole('dialog', { name: 'Describe the image' });
    await dialog.waitFor();
    if (way === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await deleted).status(), 204);
    assert.equal(await page.locator('.picture-note').count(), 0);
    await save(page);
    assert.equal((await writing.writer.newest(articleOf(page))).content, 'Text.');
    assert.deepEqual(complaints, []);
  });
}

test('an upload that hangs is gone from the text when it is cancelled', options, async () => {
  await using person = await writing.visit();
  const { page, complaints } = person;
  await openEditor(page);
  await typeAtEnd(page, 'Text.');
  // Neither answered nor refused.
  await page.route(/\/-\/v1\/media\/\w+\/content$/, () => undefined);
  await page.locator('#files').setInputFiles([png('wrong.png')]);
  await page.getByText('Uploading wrong.png').waitFor();
  await page.getByRole('dialog', { name: 'Describe the image' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.picture-note').waitFor({ state: 'detached' });
  await page.locator('.cm-content:focus').waitFor();
  assert.deepEqual(complaints, []);
});

test(
  'what was typed for an upload that fails is there when the file is added again',
  options,
  async () => {
    await using person = await writing.visit();
    const { page } = person;
    await openEditor(page);
    const fail = Promise.withResolvers<void>();
    await page.route(
      '**/-/v1/media/*/content',
      async (route) => {
        await fail.promise;
        await route.abort();
      },
      { times: 1 },
    );
    const field = page.getByRole('dialog').getByLabel('lost.png');
    await page.locator('#files').setInputFiles([png('lost.png')]);
    await field.fill('Moss on a stone');
    fail.resolve();
    await page.getByText('lost.png was not added.').waitFor();
    await page.locator('#files').setInputFiles([png('lost.png')]);
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Moss on a stone');
  },
);

test(
  'what cannot be added is said where it would be, and is not part of the text',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'Text.');
    const svg = { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
    await page.locator('#files').setInputFiles([svg]);
    await page.getByText('a.svg was not added. Only PNG, JPEG, GIF, WebP and AVIF').waitFor();
    const text = { name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await page.locator('#files').setInputFiles([text]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(/b\.png was not added\. The type of the file is not accepted/).waitFor();
    await save(page);
    assert.equal((await writing.writer.newest(articleOf(page))).content, 'Text.');
    await page.locator('.picture-note').first().getByRole('button', { name: 'Close' }).click();
    await page.locator('.picture-note').first().getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.locator('.picture-note').count(), 0);
    assert.deepEqual(complaints, []);
  },
);

test(
  'the line is cut in an upload: said in words, and the text is not touched',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'Text.');
    await page.route('**/-/v1/media/*/content', (route) => route.abort());
    await page.locator('#files').setInputFiles([png('cut.png')]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('cut.png was not added. The connection was lost.').waitFor();
    assert.deepEqual(complaints, []);
  },
);
