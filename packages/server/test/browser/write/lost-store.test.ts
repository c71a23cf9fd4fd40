// The browser's storage goes away while somebody writes: what is typed reaches the service, and the line is true.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from '../browser.ts';
import { articleOf, openEditor, save, typeAtEnd, typedIn } from './editor.ts';
import { until } from '../../throw-away-database.ts';
import { writingIn } from './writing.ts';

const options = { skip: noBrowser };
const writing = writingIn();

test(
  'site data that are deleted while an editor is open stop neither saving nor restoring',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await openEditor(page);
    await typeAtEnd(page, 'first');
    await save(page);
    const devtools = await page.context().newCDPSession(page);
    const { origin } = new URL(page.url());
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    await typeAtEnd(page, ' second');
    await save(page);
    const id = articleOf(page);
    assert.equal((await writing.writer.newest(id)).content, 'first second');
    // What the service does not have is on the device again.
    await page.context().setOffline(true);
    await typeAtEnd(page, ' third');
    await page.locator('#status', { hasText: /^Saved on this device/ }).waitFor();
    await page.context().setOffline(false);
    await openEditor(page, `/write/${id}`);
    // The device is read when the editor is open already.
    await until(
      'the text of the device is back',
      async () => (await typedIn(page)) === 'first second third',
    );
    assert.deepEqual(complaints, []);
  },
);

test(
  'a full storage does not stop saving, and an unsaved text asks before it is left',
  options,
  async () => {
    await using person = await writing.visit();
    const { page, complaints } = person;
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    });
    await openEditor(page);
    await typeAtEnd(page, 'first');
    await save(page);
    const id = articleOf(page);
    assert.equal((await writing.writer.newest(id)).content, 'first');
    await page.context().setOffline(true);
    await typeAtEnd(page, ' second');
    await page.keyboard.press('Control+s');
    const line = page.locator('#status[data-state="waiting"]');
    await line.waitFor();
    assert.match(
      await line.innerText(),
      /^Not saved yet; will be sent when the connection is back\.$/,
    );
    const asked = page.waitForEvent('dialog');
    const left = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await Promise.all([dialog.dismiss(), left]);
    await page.context().setOffline(false);
    await page.locator('#status[data-state="saved"]').waitFor();
    assert.equal((await writing.writer.newest(id)).content, 'first second');
    assert.deepEqual(complaints, []);
  },
);
