// Tests of the documents that the seed finds in a tree of packages, and of their articles.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { findDocuments } from './documents.ts';
import { readKept, writeKept } from './kept-tokens.ts';
import { articleOf, contentHash, pageAddress, parsePackage, stepKey } from './packages.ts';

async function treeOf(
  t: TestContext,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'colophon-seed-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

test('documents are found in order, each with its package, equal ones once', async (t) => {
  const root = await treeOf(t, {
    'b/package.json': '{"name":"b","version":"2.0.0"}',
    'b/README.md': 'same',
    'b/docs/deep/GUIDE.Markdown': '\uFEFFwith a mark\r\n',
    'b/docs/deep/package.json': '{"type":"module"}',
    'b/index.js': '',
    'a/package.json': '{"name":"a","version":"1.0.0"}',
    'a/HISTORY.md': 'same',
    'a/node_modules/c/package.json': '{"name":"c","version":"3.0.0"}',
    'a/node_modules/c/readme.md': 'c',
    'a/empty.md': '',
    'a/nul.md': 'a\0b',
    'a/latin.md': Buffer.from([0x41, 0xe4, 0x41]),
    'a/large.md': Buffer.alloc(1_048_577, 'x'),
    'a/fits.md': Buffer.alloc(1_048_576, 'x'),
    'stray.md': 'in no package',
  });
  await symlink(join(root, 'a'), join(root, 'linked'));
  const { documents, leftOut } = await findDocuments([root]);
  const found = documents.map(({ facts, path }) => `${facts.name}@${facts.version} ${path}`);
  assert.deepEqual(found, [
    'a@1.0.0 HISTORY.md',
    'a@1.0.0 fits.md',
    'c@3.0.0 readme.md',
    'b@2.0.0 docs/deep/GUIDE.Markdown',
  ]);
  assert.equal(documents.at(-1)?.content, '\uFEFFwith a mark\r\n');
  assert.deepEqual(leftOut, {
    duplicate: 1,
    empty: 1,
    'too large': 1,
    'not text': 2,
    'in no package': 1,
  });
});

test('addresses of pages', () => {
  const cases = [
    ['https://example.org/a', 'https://example.org/a'],
    ['git+https://github.com/o/r.git', 'https://github.com/o/r'],
    ['git+ssh://git@github.com/o/r.git', 'https://github.com/o/r'],
    ['git://github.com/o/r.git', 'https://github.com/o/r'],
    ['git@github.com:o/r.git', 'https://github.com/o/r'],
    ['github:o/r', 'https://github.com/o/r'],
    ['o/r', 'https://github.com/o/r'],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
    [`https://example.org/${'x'.repeat(2048)}`, undefined],
    [undefined, undefined],
  ] as const;
  for (const [given, expected] of cases) assert.equal(pageAddress(given), expected, String(given));
});

test('an article has its package’s name, version and keywords', () => {
  const manifest = {
    name: '@x/y',
    version: '1.2.3',
    license: { type: 'MIT' },
    keywords: [
      'a',
      'web',
      'web',
      'x'.repeat(51),
      5,
      ...Array.from({ length: 20 }, (_, index) => `word-${index}`),
    ],
    repository: { type: 'git', url: 'git+https://github.com/x/y.git' },
  };
  const facts = parsePackage('/y', JSON.stringify(manifest)) ?? assert.fail();
  const article = articleOf({ facts, path: 'docs/Guide.md', content: '# Guide' });
  assert.equal(article.title, '@x/y 1.2.3: docs/Guide');
  assert.equal(article.canonical_url, 'https://github.com/x/y');
  const { metadata } = article;
  assert.deepEqual(
    [metadata['package'], metadata['version'], metadata['path'], metadata['license']],
    ['@x/y', '1.2.3', 'docs/Guide.md', 'MIT'],
  );
  assert.deepEqual(metadata['topics'], [
    'web',
    ...Array.from({ length: 9 }, (_, index) => `word-${index}`),
  ]);
  assert.equal((metadata['keywords'] as string[]).length, 24);
  assert.equal(
    stepKey('create', article),
    stepKey('create', articleOf({ facts, path: 'docs/Guide.md', content: '# Guide' })),
  );
  assert.notEqual(
    metadata.seed_key,
    articleOf({ facts, path: 'docs/Guide.md', content: '# guide' }).metadata.seed_key,
  );
});

test('metadata stays small, titles short, and broken manifests are none', () => {
  const manifest = {
    name: 'n',
    version: '1',
    keywords: Array.from({ length: 9000 }, (_, index) => `k${index}`),
  };
  const facts = parsePackage('/n', JSON.stringify(manifest)) ?? assert.fail();
  const article = articleOf({ facts, path: `${'🙂'.repeat(400)}.md`, content: 'x' });
  assert.ok(Buffer.byteLength(JSON.stringify(article.metadata)) <= 16_384);
  assert.equal(Array.from(article.title).length, 300);
  for (const text of ['', '[]', 'null', '{"name":"x"}', '{"name":1,"version":"1"}']) {
    assert.equal(parsePackage('/n', text), undefined, text);
  }
});

test('the content hash is the SHA-256 of the canonical form', () => {
  const article = {
    title: 'é',
    content: 'a\n',
    metadata: { seed_key: 'k', b: 1 },
    canonical_url: null,
  };
  const canonical = '{"content":"a\\n","metadata":{"b":1,"seed_key":"k"},"title":"é"}';
  assert.equal(
    contentHash(article),
    `sha256:${createHash('sha256').update(canonical).digest('hex')}`,
  );
});

test('tokens are kept for each server, for the owner’s eyes only', async (t) => {
  const file = join(await treeOf(t, {}), 'data/seed.json');
  assert.deepEqual(await readKept(file, 'http://a'), []);
  const one = { username: 'seed-1', id: '1', token: 'x' };
  await writeKept(file, 'http://a', [one]);
  await writeKept(file, 'http://b', []);
  assert.deepEqual(await readKept(file, 'http://a'), [one]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});
