// Backups with a store that supports S3: of its media, and to it; restored into a folder.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { openBackupFiles, openMediaStore } from '#storage';
import { assertRan, emptyTarget, operateWith } from './backups.ts';
import { databaseUrlOf } from './derived-tables.ts';
import { startServer } from './harness.ts';
import { pngOfLength, storedNames, upload } from './media-files.ts';
import { startS3, withoutS3 } from './radosgw.ts';

test(
  'media in S3 are backed up to S3 in parts, and restored into a folder under the same names',
  { skip: withoutS3, timeout: 900_000 },
  async () => {
    await using s3 = await startS3();
    await using server = await startServer({ MEDIA_STORE: s3.store });
    const human = await server.register();
    // More than one part of an upload.
    const bytes = pngOfLength(9_000_000);
    const media = await upload(server, human, 'image', bytes);
    const [name = ''] = await storedNames(server, media.body.id);
    await upload(server, human, 'image', pngOfLength(9_100_000));
    const settings = {
      DATABASE_URL: databaseUrlOf(server),
      DATA_DIR: server.services.config.dataDir,
      BASE_URL: server.baseUrl,
      MEDIA_STORE: s3.store,
      BACKUP_TO: s3.store,
    };
    assertRan(await operateWith(settings, 'backup'));
    await using files = await openBackupFiles(s3.place);
    const [backup, ...more] = await files.list();
    assert.deepEqual(more, []);
    assert.ok((backup?.size ?? 0) > 18_000_000);
    assertRan(await operateWith(settings, 'verify', backup?.name ?? ''));
    assert.match((await operateWith(settings, 'doctor')).out, /ok\s+backups\s+1 in BACKUP_TO/);
    assert.deepEqual(await files.list(), [backup]);
    const missing = s3.store.replace('colophon-media', 'no-such-bucket');
    const refusing = { ...settings, BACKUP_TO: missing };
    assert.match((await operateWith(refusing, 'doctor')).out, /WRONG backups .*NoSuchBucket/);

    await using target = await emptyTarget(server, { BACKUP_TO: s3.store });
    assertRan(await target.operate('restore', backup?.name ?? ''));
    await using store = await openMediaStore({ folder: `${target.dataDir}/media` });
    const restored = await store.open(name);
    assert.ok(restored);
    const hash = (some: Buffer) => createHash('sha256').update(some).digest('hex');
    assert.equal(hash(await buffer(restored)), hash(bytes));
    const refused = await operateWith(
      { ...target.settings, MEDIA_STORE: s3.store },
      'restore',
      'x',
    );
    assert.match(refused.complaint, /There is no backup x, neither as a file nor in BACKUP_TO/);

    await assert.rejects(
      files.put(
        'cut.tar',
        (async function* broken() {
          yield Buffer.alloc(1_000);
          throw new Error('cut');
        })(),
      ),
      /cut/,
    );
    await files.sweep(new Date(Date.now() + 60_000));
    assert.equal((await files.list()).length, 1);
    await files.delete(backup?.name ?? '');
    assert.deepEqual(await files.list(), []);
  },
);
