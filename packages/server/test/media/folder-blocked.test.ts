// The media folder becomes unusable while the server runs: uploads wait for the operator, and then go on.
import assert from 'node:assert/strict';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertProblem, startServer } from '../harness.ts';
import { aRecord, pngOfLength, put, upload } from '../media-files.ts';

const blocks: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  'a file': (folder) => writeFile(folder, 'not a folder'),
  'a link to nowhere': (folder) => symlink(`${folder}-missing/below`, folder),
  'a link to itself': (folder) => symlink(folder, folder),
};

for (const [what, block] of Object.entries(blocks)) {
  test(`503 an upload while ${what} has the name of the media folder; 200 once it is back`, async () => {
    await using server = await startServer();
    const human = await server.register();
    const folder = join(server.services.config.dataDir, 'media');
    await upload(server, human, 'image', pngOfLength(1_000));
    const { id } = await aRecord(server, human, 'image');
    await rename(folder, `${folder}-aside`);
    await block(folder);
    const answer = await put(server, human, id, pngOfLength(1_001));
    const asked = { token: human.token, key: true, body: { kind: 'image' } } as const;
    for (const refused of [answer, await server.ask('POST', '/v1/media', asked)]) {
      assertProblem(refused, 'unavailable');
      assert.match(refused.body.detail, /disk/);
      assert.equal(refused.headers.get('retry-after'), '30');
    }
    await rename(folder, `${folder}-blocked`);
    await rename(`${folder}-aside`, folder);
    assert.equal((await put(server, human, id, pngOfLength(1_001))).status, 200);
  });
}
