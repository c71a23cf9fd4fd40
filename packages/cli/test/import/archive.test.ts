// Archives that are damaged, changed, or made to do harm: refused before anything is written.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { effort } from '../../../server/test/effort.ts';
import { openZip } from '../../src/import/archive/zip.ts';
import { openSource } from '../../src/import/index.ts';
import { isRefusal } from '../../src/import/source.ts';
import { seal } from './archive-builder.ts';
import { zipOf } from './zip-writer.ts';
import type { Entry } from './zip-writer.ts';

const folder = await mkdtemp(join(tmpdir(), 'colophon-archive-'));
const file = join(folder, 'archive.zip');
after(() => rm(folder, { recursive: true }));

const origin = 'https://a.example';
const text = (name: string, content = 'text'): Entry => ({ name, content });

async function assertRefused(bytes: Uint8Array, message: RegExp): Promise<void> {
  await writeFile(file, bytes);
  await assert.rejects(openSource(file), (error: Error) => {
    assert.ok(isRefusal(error), String(error.stack));
    assert.match(error.message, message);
    return true;
  });
}

const archiveWithLies = (lies: Entry['lies'], entry = text('media/a.png')): Uint8Array =>
  zipOf([...seal([], origin), { ...entry, lies: lies ?? {} }]);

const attacks: readonly (readonly [string, () => Uint8Array, RegExp])[] = [
  ['no ZIP', () => Buffer.from('PK is not enough'), /cannot be read as a ZIP archive/],
  ['an empty file', () => Buffer.alloc(0), /not an export that this program can read/],
  ['half of a ZIP', () => zipOf(seal([text('a')], origin)).subarray(0, 200), /cannot be read/],
  ['another ZIP', () => zipOf([text('a')]), /not an export of Colophon: it contains no manifest/],
  [
    'a name that climbs out',
    () => zipOf([text('../../etc/passwd')]),
    /cannot be read.*invalid relative path/,
  ],
  ['an absolute name', () => zipOf([text('/etc/passwd')]), /cannot be read.*absolute path/],
  ['a drive', () => zipOf([text('C:/x')]), /cannot be read.*absolute path/],
  ['a backslash', () => zipOf([text(String.raw`a\..\b`)]), /cannot be read.*invalid characters/],
  [
    'a name with a terminal sequence',
    () => zipOf([text('a\x1b[2Jb')]),
    /"a\?\[2Jb" has a name with control/,
  ],
  ['a name twice', () => zipOf([text('a'), text('a')]), /lists "a" twice/],
  [
    'names that differ in case only',
    () => zipOf([text('A.md'), text('a.md')]),
    /lists "a\.md" twice/,
  ],
  ['names that differ in their form', () => zipOf([text('é'), text('e\u0301')]), /twice/],
  [
    'an encrypted file',
    () => archiveWithLies({ flags: 0x0801, size: 8 }, text('media/a.png', 'x'.repeat(20))),
    /"media\/a\.png" is encrypted/,
  ],
  [
    'another compression',
    () => archiveWithLies({ method: 12 }),
    /compression method 12; only DEFLATE/,
  ],
  ['a symbolic link', () => archiveWithLies({ attributes: 0xa1ff0000 }), /is a symbolic link/],
  [
    'a size that cannot be',
    () => archiveWithLies({ size: 1e9, method: 8 }),
    /names a size that its data cannot have/,
  ],
  [
    'shared data',
    () => zipOf([text('a'), text('b')].map((entry) => ({ ...entry, lies: { offset: 0 } }))),
    /share the same data/,
  ],
  [
    'a version to come',
    () => zipOf(seal([], origin, { version: 2 })),
    /has version 2.*Install a newer/,
  ],
  ['another format', () => zipOf(seal([], origin, { format: 'x' })), /names another format/],
  [
    'another list of checksums',
    () => zipOf(seal([], origin, { checksums_sha256: '0'.repeat(64) })),
    /"checksums\.txt" does not match its checksum/,
  ],
  [
    'a file that is not listed',
    () => zipOf([...seal([], origin), text('extra')]),
    /does not list "extra"/,
  ],
  [
    'a missing file',
    () => zipOf(seal([text('a')], origin).slice(0, 2)),
    /not complete: "a" is missing/,
  ],
  [
    'a changed file',
    () => zipOf([...seal([text('a')], origin).slice(0, 2), text('a', 'changed')]),
    /"a" does not match its checksum\. Create the export again\. Nothing was imported/,
  ],
];

for (const [name, make, message] of attacks) {
  test(`refused: ${name}`, () => assertRefused(make(), message));
}

test('refused: more data than the directory says, and less', async () => {
  const content = 'a'.repeat(100_000);
  for (const size of [99_999, 100_001, 50]) {
    const entry = { name: 'a', content, isDeflated: true };
    const [manifest, list] = seal([entry], origin);
    assert.ok(manifest && list);
    await assertRefused(
      zipOf([manifest, list, { ...entry, lies: { size } }]),
      /"a" cannot be read/,
    );
  }
});

test('refused: a bomb, by what its directory says', async () => {
  const lies = { size: 3_000_000, method: 8 };
  const names = Array.from({ length: 400 }, (_, index) => `a${index}`);
  const bytes = zipOf(names.map((name) => ({ ...text(name, 'x'.repeat(3_000)), lies })));
  await assertRefused(bytes, /would unpack to \d+ MiB from \d MiB, which no export does/);
});

test('a changed byte anywhere is refused, or changes nothing that is read', async () => {
  const entries = seal(
    [text('a', 'x'.repeat(300)), { name: 'b', content: 'y'.repeat(300), isDeflated: true }],
    origin,
  );
  const bytes = zipOf(entries);
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(change, async ([at, by]) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ by;
      await writeFile(file, changed);
      try {
        await using source = await openSource(file);
        assert.equal(source.articleCount, 0);
        await using zip = await openZip(file);
        assert.equal((await zip.read('a', 300)).toString(), 'x'.repeat(300));
        assert.equal((await zip.read('b', 300)).toString(), 'y'.repeat(300));
      } catch (error) {
        assert.ok(isRefusal(error), String(error));
      }
    }),
    { numRuns: effort(150, 5_000) },
  );
});
