// Tests of npm run new in a copy of the tree: what it writes type-checks and passes, and wrong use is explained.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { drawSample } from '../packages/server/test/faults/sampled.ts';
import { copyTree } from './test/tree-copy.ts';

const tree = copyTree();
after(() => tree[Symbol.dispose]());
const read = (name: string) => readFileSync(join(tree.folder, name), 'utf8');

/** Runs a program in the copy; returns its status and what it printed. */
async function run(...args: string[]): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tree.folder });
    return { status: 0, text: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, text: stdout + stderr };
  }
}

const create = (...args: string[]) => run('scripts/new.ts', ...args);
const bookmarks = ['--area', 'social', '--file', 'bookmarks'];
const area = 'packages/server/src/areas';

/** The forms that a skeleton has: a list, a creation with a key, a deletion, an open read of one object. */
const skeletons = [
  {
    file: 'social/operations/list-bookmarks',
    args: ['listBookmarks', ...bookmarks],
    place: ['--path', '/v1/bookmarks'],
  },
  {
    file: 'social/operations/create-bookmark',
    args: ['createBookmark', ...bookmarks],
    place: ['--path', '/v1/bookmarks', '--access', 'follows:write'],
  },
  {
    file: 'media/operations/delete-album',
    args: ['deleteAlbum', '--area', 'media'],
    place: ['--path', '/v1/albums/{id}', '--access', 'admin:manage'],
  },
  {
    file: 'articles/operations/read-licence',
    args: ['readLicence', '--area', 'articles'],
    place: ['--path', '/v1/articles/{id}/licence', '--access', 'public', '--file', 'reads'],
  },
  {
    file: 'moderation/operations/list-badges',
    args: ['listBadges', '--area', 'moderation'],
    place: [
      '--path',
      '/v1/moderation/badges',
      '--access',
      'admin:moderate',
      '--file',
      'statements',
    ],
  },
] as const;
/** Each is written, compiled and run, which takes seconds. */
const drawn = drawSample(skeletons, 3, 'skeletons');

test('each skeleton is written, and named where it is served', async () => {
  for (const { file, args, place } of drawn) {
    const { status, text } = await create(...args, ...place);
    assert.equal(status, 0, text);
    assert.equal(text.includes('test/audited-reads.ts'), /list|read/.test(file));
    const tables = Array.from(text.matchAll(/answers in (\S+\.ts)\./g), ([, path = '']) => path);
    for (const path of tables) assert.ok(existsSync(join(tree.folder, path)), path);
    const [name] = args;
    const line = `export { ${name} } from './${file.split('/')[2]}.ts';`;
    assert.ok(read(`${area}/${file.split('/')[0]}/operations/index.ts`).includes(line));
    assert.ok(existsSync(join(tree.folder, `${area}/${file}.test.ts`)));
    assert.ok(read('docs/operations.md').includes(`\`${name}\``));
    assert.match(read('packages/server/test/scopes/needs.ts'), new RegExp(`^  ${name}: `, 'm'));
  }
});

test('they have the format of the house, and type-check', async () => {
  const files = drawn.flatMap(({ file }) => [`${area}/${file}.ts`, `${area}/${file}.test.ts`]);
  const sources = ['packages/contract/src', 'packages/server/test/scopes', 'docs', ...files];
  const formatted = await run('node_modules/oxfmt/bin/oxfmt', '--check', ...sources);
  assert.equal(formatted.status, 0, formatted.text);
  // The tests import the whole server, so their types are checked in the long run only.
  const checked = files.filter((file) => process.env['LONG'] || !file.endsWith('.test.ts'));
  const include = ['packages/*/src/**/*.d.ts'];
  const settings = { extends: './tsconfig.json', include, files: checked };
  writeFileSync(join(tree.folder, 'tsconfig.new.json'), JSON.stringify(settings));
  // Several threads each check what they share: one alone takes half of the processor time.
  const compile = ['node_modules/typescript-7/bin/tsc', '--singleThreaded', '-p'];
  const types = await run(...compile, 'tsconfig.new.json');
  assert.equal(types.text, '');
});

test('their tests pass', async () => {
  const files = drawn.map(({ file }) => `${area}/${file}.test.ts`);
  const { status, text } = await run('--test', '--test-isolation=none', ...files);
  assert.equal(status, 0, text);
  const written = files.flatMap((file) => read(file).match(/^test\(/gm) ?? []);
  assert.ok(written.length > drawn.length);
  assert.match(text, new RegExp(`pass ${written.length}\n`));
});

const wrong = [
  [
    ['Things', '--area', 'garden', '--path', 'feed', '--method', 'LIST', '--access', 'all'],
    /camelCase.*not "Things".*no area "garden".*identity.*no method "LIST".*no access "all".*token.*"feed" does not/s,
  ],
  [
    ['readFeed', '--area', 'feed', '--path', '/v1/feed'],
    /readFeed is taken.*GET \/v1\/feed is taken/s,
  ],
  [
    ['readIt', '--area', 'social', '--path', '/v1/x'],
    // Bookmarks are there if one of their skeletons was drawn.
    /several files: (?:bookmarks, )?comments, edges, follows/,
  ],
  [['readIt', '--area', 'feed', '--path', '/v1/x', '--file', 'x'], /has one file/],
  [['readIt', '--colour', 'red'], /Unknown option '--colour'.*Usage:/s],
] as const;

test('wrong use: what is wrong and what to choose from, and nothing is written', async () => {
  const before = read('packages/server/test/scopes/needs.ts');
  for (const [args, expected] of wrong) {
    const { status, text } = await create(...args);
    assert.equal(status, 1, args.join(' '));
    assert.match(text, expected);
  }
  assert.equal(read('packages/server/test/scopes/needs.ts'), before);
});
