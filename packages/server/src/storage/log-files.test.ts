// The files of the transparency log, in a folder and on a real S3 server.
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startS3, withoutS3 } from '#test/radosgw';
import { openLogFiles } from './log-files.ts';
import type { LogFiles } from './log-files.ts';

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const folder = await mkdtemp(join(tmpdir(), 'colophon-log-files-'));
parts.defer(() => rm(folder, { recursive: true, force: true }));

async function inS3(): Promise<LogFiles> {
  const s3 = parts.use(await startS3());
  return parts.use(await openLogFiles(s3.place));
}

/** Opens once: the server takes seconds to start. */
function once(open: () => Promise<LogFiles>): () => Promise<LogFiles> {
  let opened: Promise<LogFiles> | undefined;
  return () => (opened ??= open());
}

for (const [what, open, skip] of [
  ['folder', () => openLogFiles({ folder }), false],
  ['S3', once(inS3), withoutS3],
] as const) {
  test(
    `${what}: files are replaced as a whole, and partial tiles are deleted together`,
    { skip },
    async () => {
      const files = await open();
      const text = async (path: string) => (await files.read(path))?.toString('utf8');
      assert.equal(await text('checkpoint'), undefined);
      for (const [path, bytes] of [
        ['checkpoint', 'first'],
        ['checkpoint', 'second'],
        ['tile/0/x001/234.p/7', 'seven'],
        ['tile/0/x001/234.p/255', 'more'],
        ['tile/0/x001/234', 'full'],
        ['tile/0/x001/235.p/7', 'next'],
        ['tile/entries/000', 'entries'],
      ] as const)
        await files.write(path, Buffer.from(bytes));
      assert.equal(await text('checkpoint'), 'second');
      assert.equal(await text('tile/0/x001/234.p/255'), 'more');
      await files.deletePartials('tile/0/x001/234');
      await files.deletePartials('tile/0/x001/236');
      assert.equal(await text('tile/0/x001/234.p/7'), undefined);
      assert.equal(await text('tile/0/x001/234.p/255'), undefined);
      assert.equal(await text('tile/0/x001/234'), 'full');
      assert.equal(await text('tile/0/x001/235.p/7'), 'next');
      assert.equal(await text('tile/entries/000'), 'entries');
    },
  );

  test(`${what}: nothing but a path of a log is read or written`, { skip }, async () => {
    const files = await open();
    for (const path of [
      '',
      '../x',
      'tile/0/../../../x',
      'key.pem',
      'tile/0/000.p/',
      '/etc/passwd',
    ]) {
      await assert.rejects(async () => files.read(path), RangeError);
      await assert.rejects(async () => files.write(path, Buffer.from('x')), RangeError);
    }
  });
}

test('folder: the files are for the service alone', async () => {
  const files = await openLogFiles({ folder });
  await files.write('tile/1/000', Buffer.from('x'));
  assert.equal((await stat(join(folder, 'log/tile/1/000'))).mode & 0o777, 0o600);
});
