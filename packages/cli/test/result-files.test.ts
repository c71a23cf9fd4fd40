// Results that are written over files of every kind: only their content changes.
import assert from 'node:assert/strict';
import {
  chmod,
  link,
  lstat,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeResults } from '../src/result-files.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-results-'));
});
after(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const write = (...names: readonly string[]) =>
  writeResults(names.map((name) => ({ path: at(name), name, content: 'new' })));
const read = (name: string) => readFile(at(name), 'utf8');

test('a file keeps its mode, and a new one has the usual mode', async () => {
  await writeFile(at('shared'), 'old');
  await writeFile(at('usual'), 'old');
  await chmod(at('shared'), 0o666);
  await write('shared', 'fresh');
  assert.deepEqual([await read('shared'), await read('fresh')], ['new', 'new']);
  assert.equal((await stat(at('shared'))).mode & 0o777, 0o666);
  assert.equal((await stat(at('fresh'))).mode, (await stat(at('usual'))).mode);
});

test('a link stays a link, whether or not it leads to a file', async () => {
  await writeFile(at('target'), 'old');
  await symlink('target', at('link'));
  await symlink('missing', at('dangling'));
  await write('link', 'dangling');
  assert.deepEqual([await read('target'), await read('missing')], ['new', 'new']);
  assert.equal(await readlink(at('link')), 'target');
  assert.ok((await lstat(at('dangling'))).isSymbolicLink());
  await symlink('round', at('round'));
  await assert.rejects(write('round'), /Cannot write round: its links lead in a circle/);
});

test('a file with two names has the new text under both', async () => {
  await writeFile(at('one'), 'old');
  await link(at('one'), at('other'));
  await write('one');
  assert.equal(await read('other'), 'new');
});

test('of results that belong together, none is written if one cannot be', async () => {
  await writeFile(at('first'), 'old');
  await assert.rejects(write('first', 'no/second'), /Cannot write no\/second: its folder does not/);
  assert.equal(await read('first'), 'old');
  const left = (await readdir(folder)).filter((name) => name.startsWith('.colophon-'));
  assert.deepEqual(left, []);
});
