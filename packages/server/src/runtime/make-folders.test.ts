// Folders with their parents: what was created is named, and a place where nothing can be created ends the attempt.
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeFolders } from '#runtime';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-folders-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('the first new folder is named, and each has the mode', async () => {
  const deep = join(folder, 'a/b/c');
  assert.equal(await makeFolders(deep, 0o700), join(folder, 'a'));
  assert.equal((await stat(join(folder, 'a/b'))).mode & 0o777, 0o700);
  assert.equal(await makeFolders(deep, 0o700), undefined);
  assert.equal(await makeFolders(join(deep, 'd'), 0o700), join(deep, 'd'));
  assert.equal(await makeFolders('/', 0o700), undefined);
});

test('many may create the same folder at once', async () => {
  const deep = join(folder, 'shared/b/c');
  await Promise.all(Array.from({ length: 20 }, () => makeFolders(deep, 0o700)));
  assert.ok((await stat(deep)).isDirectory());
});

test('a file, and a link that leads nowhere, are not folders', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await symlink(join(folder, 'nowhere/else'), join(folder, 'link'));
  await assert.rejects(makeFolders(file, 0o700), { code: 'EEXIST' });
  await assert.rejects(makeFolders(join(file, 'a'), 0o700), { code: 'ENOTDIR' });
  await assert.rejects(makeFolders(join(folder, 'link'), 0o700), { code: 'EEXIST' });
});

// With `recursive`, mkdir tries this for ever, and a thread of the pool with it.
test(
  'where the kernel lets nothing be created, the attempt ends',
  {
    skip: process.platform === 'linux' ? false : 'there is no /proc',
  },
  async () => {
    for (const place of ['/proc/colophon', '/proc/colophon/a/b'])
      await assert.rejects(makeFolders(place, 0o700), { code: 'ENOENT' });
  },
);
