// A log of this package, read and verified over HTTP by Go's own implementation of such logs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { makeNoteKey, openLogFolder, serveFolder } from '../test/log-folder.ts';

const run = promisify(execFile);
/** Debian's packages golang-go and golang-golang-x-mod-dev. */
const sources = '/usr/share/gocode';
const isHere =
  existsSync(join(sources, 'src/golang.org/x/mod/sumdb/tlog')) &&
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'go')));
const skip = !isHere && 'Go or golang.org/x/mod is not on this machine';

const place = await mkdtemp(join(tmpdir(), 'colophon-go-'));
after(() => rm(place, { recursive: true, force: true }));

test('Go reads the log, and notices a changed entry, tile and checkpoint', { skip }, async () => {
  const program = join(place, 'reader');
  const source = join(import.meta.dirname, '../test/reference-reader.go');
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: sources,
    GOFLAGS: '',
    GOCACHE: join(place, 'cache'),
  };
  await run('go', ['build', '-o', program, source], { env });
  const key = makeNoteKey('log.example/log', 1);
  await using log = await openLogFolder();
  await using served = await serveFolder(log.folder);
  const read = (...indexes: readonly number[]) =>
    run(program, [served.url, key.text, ...indexes.map(String)]);
  for (const size of [1, 255, 256, 257, 600, 65_537]) {
    const first = log.log.entries.length;
    const entries = Array.from({ length: size - first }, (_, at) =>
      Buffer.from(`{"n":${first + at}}`),
    );
    await log.publish(entries, [makeNoteKey('w.example/w', 4), key].toReversed());
    const indexes = [...new Set([0, first, size >> 1, size - 1])];
    const { stdout } = await read(...indexes);
    assert.equal(stdout, `${size} leaves, ${2 * indexes.length} proofs\n`);
  }
  await log.change('tile/entries/002', (bytes) => bytes.fill(0x39, 7, 8));
  await assert.rejects(read(512), { code: 1 });
  await log.change('tile/0/001', (bytes) => bytes.fill(0, 0, 1));
  await assert.rejects(read(300), { code: 1 });
  await log.change('checkpoint', (note) => Buffer.from(note.toString().replace('65537', '65536')));
  await assert.rejects(read(0), { code: 1 });
});
