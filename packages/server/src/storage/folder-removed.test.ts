// Tests of the media folder when its subfolders are removed under a running server.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openFolderStore } from './folder-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
after(() => rm(folder, { recursive: true, force: true }));
const store = openFolderStore(join(folder, 'media'));

async function* once(text: string) {
  yield Buffer.from(text);
}

const put = (text: string) => store.put({ bucket: 7, length: text.length, chunks: once(text) });

for (const [what, removed] of [
  ['the folder for bytes on their way', 'media/uploading'],
  ['the folder of a bucket', 'media/007'],
  ['the folder of all media', 'media'],
] as const) {
  test(`bytes are kept after ${what} was removed`, async () => {
    await put('first');
    await rm(join(folder, removed), { recursive: true });
    const { name } = await put('second');
    assert.equal(await store.exists(name), true);
    assert.deepEqual(await readdir(join(folder, 'media/uploading')), []);
  });
}
