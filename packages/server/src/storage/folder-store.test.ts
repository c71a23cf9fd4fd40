// Tests of the folder store: the properties of every store, and what remains on the disk.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { testStore } from '#test/media/store-suite';
import { findProgram } from '#test/installed-programs';
import { openFolderStore } from './folder-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
const store = openFolderStore(join(folder, 'media'));
after(() => rm(folder, { recursive: true, force: true }));

test('nothing is made before there is something to keep', async () => {
  assert.deepEqual(await readdir(folder), []);
  assert.equal(await store.sweep(new Date()), 0);
});

testStore('folder', () => store);

test('files and folders are for the service alone, whatever the umask', async () => {
  const umask = process.umask(0);
  try {
    const open = join(folder, 'open');
    const chunks = (async function* one() {
      yield Buffer.from('x');
    })();
    const { name } = await openFolderStore(open).put({ bucket: 1, length: 1, chunks });
    const modeOf = async (file: string) => (await stat(join(open, file))).mode & 0o777;
    assert.equal(await modeOf(name), 0o600);
    for (const made of ['', '001', 'uploading']) assert.equal(await modeOf(made), 0o700, made);
  } finally {
    process.umask(umask);
  }
});

test('invalid names are refused, so that nothing outside of the folder is reached', async () => {
  for (const name of ['../x', '/etc/passwd', '000/../../x', 'uploading/x', '']) {
    await assert.rejects(store.open(name), /No file has the name/);
    await assert.rejects(store.delete(name), /No file has the name/);
  }
});

test('a draft that a killed process left is swept once it is old', async () => {
  const aside = join(folder, 'media', 'uploading');
  assert.deepEqual(await readdir(aside), []);
  await writeFile(join(aside, 'left'), 'half');
  assert.equal(await store.sweep(new Date(Date.now() - 60_000)), 0);
  assert.equal(await store.sweep(new Date(Date.now() + 60_000)), 1);
  assert.deepEqual(await readdir(aside), []);
});

test('a folder that cannot be written to is said, and nothing is left', async () => {
  const blocked = join(folder, 'blocked');
  await mkdir(blocked);
  await writeFile(join(blocked, '001'), 'a file where a folder should be');
  const other = openFolderStore(blocked);
  const chunks = (async function* one() {
    yield Buffer.from('x');
  })();
  await assert.rejects(other.put({ bucket: 1, length: 1, chunks }));
  assert.deepEqual(await readdir(join(blocked, 'uploading')), []);
});

const withoutPipes = findProgram('mkfifo') === undefined && 'this machine has no mkfifo';

test(
  'a disk that hangs is an error for the reader of a file, before and after its first byte',
  { skip: withoutPipes },
  async () => {
    const place = join(folder, 'hanging');
    const name = `001/${'0'.repeat(32)}`;
    const file = join(place, name);
    await mkdir(join(file, '..'), { recursive: true });
    // A pipe without a writer does not open, and one whose writer is silent sends nothing.
    execFileSync('mkfifo', [file]);
    const hasty = openFolderStore(place, undefined, 300);
    await assert.rejects(hasty.open(name), /no answer within 0.3 seconds/);
    await using writer = await open(file, 'r+');
    await writer.write('the first bytes');
    const patient = openFolderStore(place, undefined, 2_000);
    const stalled = (await patient.open(name)) ?? assert.fail('the file is missing');
    await assert.rejects(buffer(stalled), /The store sent nothing for 2000 ms/);
  },
);

test(
  'a disk that hangs under many readers leaves threads free for other work, and is read again when it answers',
  { skip: withoutPipes, timeout: 120_000 },
  async () => {
    const place = join(folder, 'hanging for all');
    const [hanging, other] = [`001/${'1'.repeat(32)}`, `001/${'2'.repeat(32)}`];
    await mkdir(join(place, '001'), { recursive: true });
    await writeFile(join(place, other), 'other');
    execFileSync('mkfifo', [join(place, hanging)]);
    const hasty = openFolderStore(place, undefined, 500);
    const read = async (name: string) =>
      (await buffer((await hasty.open(name)) ?? assert.fail('it is missing'))).toString();
    const writer = await open(join(place, hanging), 'r+');
    try {
      const readers = Array.from({ length: 12 }, () => assert.rejects(read(hanging)));
      await Promise.all(readers);
      await assert.rejects(read(other), 'it waits for a disk that does not answer');
      assert.equal(gunzipSync(await promisify(gzip)('text')).toString(), 'text');
    } finally {
      await writer.close();
    }
    assert.equal(await read(other), 'other');
  },
);
