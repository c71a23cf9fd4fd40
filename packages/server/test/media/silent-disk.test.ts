// A disk that hangs while a file is read: the answer is a problem that clients retry, without headers of the file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertProblem, startServer } from '../harness.ts';
import { findProgram } from '../installed-programs.ts';
import { openFolderStore } from '../../src/storage/folder-store.ts';
import { pngOfLength, upload } from '../media-files.ts';

const skip = findProgram('mkfifo') === undefined && 'this machine has no mkfifo';
const ofFile = ['etag', 'content-disposition', 'content-range', 'accept-ranges'] as const;

test('503 for a file whose first byte does not come, and 200 once it comes', { skip }, async () => {
  // Without the pipeline, which would read the image too: each read of the pipe takes one of four threads of Node.js.
  await using server = await startServer({ ROLE: 'web' });
  const human = await server.register();
  const { token } = human;
  const folder = join(server.services.config.dataDir, 'media');
  const bytes = pngOfLength(1_000);
  const { body } = await upload(server, human, 'image', bytes);
  Object.assign(server.services.store, openFolderStore(folder, undefined, 300));
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const file = join(folder, names[sizes.indexOf(bytes.length)] ?? '');
  await rm(file);
  // A pipe whose writer is silent.
  execFileSync('mkfifo', [file]);
  await using writer = await open(file, 'r+');
  const path = `/v1/media/${body.id}/content`;
  for (const range of [undefined, 'bytes=0-9']) {
    const headers = range === undefined ? {} : { range };
    const answer = await server.ask('GET', path, { token, headers });
    assertProblem(answer, 'unavailable');
    assert.deepEqual(
      ofFile.filter((name) => answer.headers.has(name)),
      [],
    );
  }
  await writer.write(bytes);
});
