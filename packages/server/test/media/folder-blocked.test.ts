// The media folder becomes unusable while the server runs: uploads wait for the operator, and then go on.
import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertProblem, startServer } from '../harness.ts';
import { aRecord, pngOfLength, put, upload } from '../media-files.ts';

test('503 an upload while a file has the name of the media folder; 200 once it is back', async () => {
  await using server = await startServer();
  const human = await server.register();
  const folder = join(server.services.config.dataDir, 'media');
  await upload(server, human, 'image', pngOfLength(1_000));
  const { id } = await aRecord(server, human, 'image');
  await rename(folder, `${folder}-aside`);
  await writeFile(folder, 'not a folder');
  const answer = await put(server, human, id, pngOfLength(1_001));
  const asked = { token: human.token, key: true, body: { kind: 'image' } } as const;
  for (const refused of [answer, await server.ask('POST', '/v1/media', asked)]) {
    assertProblem(refused, 'unavailable');
    assert.equal(refused.headers.get('retry-after'), '30');
  }
  await rename(folder, `${folder}-file`);
  await rename(`${folder}-aside`, folder);
  assert.equal((await put(server, human, id, pngOfLength(1_001))).status, 200);
});
