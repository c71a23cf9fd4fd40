// What an operator can do who has the database, the disk and the key: write another history of the log.
import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from '#database';
import { parseVerifierKey, writeCheckpoint, writeNote } from '../../tlog/src/index.ts';
import { sha256 } from '../../tlog/test/sha256.ts';
import { append, emptyLog, rootOfLog } from '../../tlog/test/tiled-log.ts';
import type { TestServer } from './harness.ts';

/** Writes the whole log again, with one leaf changed, and signs it with the real key of the service. */
export async function rewriteLog(
  server: TestServer,
  verifierKey: string,
  change: (entries: Uint8Array[]) => void,
): Promise<string> {
  const { config } = server.services;
  const { mediaStore, dataDir } = config;
  assert.ok('folder' in mediaStore);
  const folder = join(mediaStore.folder, 'log');
  const rows = await server.db.rows(sql<{ entry: string }>`
    select entry
    from log_leaves
    where bucket = 0 and number is not null
    order by number`);
  const entries = rows.map(({ entry }) => new Uint8Array(Buffer.from(entry)));
  change(entries);
  const log = emptyLog();
  append(log, entries);
  for (const [path, bytes] of log.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  const key = parseVerifierKey(sha256, verifierKey);
  assert.ok(key);
  const size = entries.length;
  const text = writeCheckpoint({ origin: key.name, size, root: rootOfLog(log), extensions: [] });
  const privateKey = createPrivateKey(await readFile(join(dataDir, 'log', 'key.pem')));
  const note = writeNote(text, [{ ...key, signature: sign(null, Buffer.from(text), privateKey) }]);
  await writeFile(join(folder, 'checkpoint'), note);
  return note;
}
