// The borders, names and statements that docs/architecture.md describes, and a canary that shows that the checks still work.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { ceremonyList, operations } from '@colophon/contract';
import { borders } from '../../../scripts/borders.ts';
import { expectations, lint, linesOf } from './architecture/canary.ts';
import { climbingImports } from './architecture/climbing-imports.ts';
import { lintMigrations } from './architecture/migrations.ts';
import * as shape from './architecture/shape.ts';
import { countedJobs, foreignSessions, sharedPorts } from './architecture/shared-run.ts';
import { readSources } from './architecture/sources.ts';
import { lintStatements } from './architecture/statements.ts';
import type { Finding } from './architecture/statements.ts';
import {
  participleNames,
  replacedNames,
  replacedWords,
  strayVerbs,
  unusualWords,
} from './architecture/vocabulary.ts';

const root = resolve(import.meta.dirname, '../../..');
const canary = join(import.meta.dirname, 'architecture-canary');
const code = ['packages/*/{src,test}/**/*.{ts,mjs}', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts'];
const migrations = 'packages/server/src/database/migrations/*.sql';
const sources = readSources(root, ...code);
const known = readSources(canary, ...code);
const names = [...Object.values(operations), ...ceremonyList].map(({ name }) => name);
const lines = (findings: readonly Finding[]) =>
  findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`);

test('the tree is read: sources, statements and migrations are found', () => {
  assert.ok(sources.length > 50);
  assert.ok(names.length > 10);
  assert.ok(readSources(root, migrations).length > 0);
});

test('every area has its eight names and nothing else, and each means what it says', () => {
  assert.deepEqual([...shape.misplacedFiles(sources), ...shape.meaninglessParts(sources)], []);
});

test('every operation of the contract is implemented exactly once, with a test beside it', () => {
  assert.deepEqual(shape.missingOperations(sources, names), []);
});

test('contract and server have the same areas', () => {
  assert.deepEqual(shape.areasThatDiffer(sources), []);
});

test('the kernel names no operation: the contract declares what differs between operations', () => {
  assert.deepEqual(shape.namedOperations(sources, names), []);
});

test('no file has a name that says nothing, and each says in its first line what it contains', () => {
  assert.deepEqual([...shape.bannedNames(sources), ...shape.withoutOpeningComment(sources)], []);
});

test('each style sheet says what it styles, and has no more lines than code may have', () => {
  const sheets = readSources(root, 'packages/*/src/**/*.css');
  assert.ok(sheets.length > 10);
  assert.deepEqual([...shape.longSheets(sheets), ...shape.withoutOpeningComment(sheets)], []);
});

test('no file and no export is named by a word that the glossary replaces', () => {
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
  assert.ok(replacedWords(glossary).length > 10);
  assert.deepEqual(replacedNames(sources, glossary), []);
});

test('no function is named by a participle alone', () => {
  assert.deepEqual(participleNames(sources), []);
});

test('texts and comments are in plain English', () => {
  const pages = readSources(root, 'README.md', 'docs/**/*.md', 'packages/*/README.md');
  assert.ok(pages.length > 50);
  const allowed = /docs\/glossary\.md|architecture\/vocabulary\.ts/;
  const read = [...sources, ...pages].filter(({ file }) => !allowed.test(file));
  assert.deepEqual(unusualWords(read), []);
});

test('no cell of a table is so long that it should be in a list', () => {
  const pages = readSources(root, 'README.md', 'docs/**/*.md', 'packages/*/README.md');
  assert.deepEqual(shape.longCells(pages), []);
  const long = { file: 'a.md', text: `| a | b |\n| - | - |\n| ${'c'.repeat(121)} | d |` };
  assert.deepEqual(shape.longCells([long as (typeof pages)[0]]), ['a.md:3']);
});

test('every statement is named by what it does: find, list, lock, count, exists, insert, set, delete', () => {
  assert.deepEqual(strayVerbs(sources), []);
});

test('relative imports stay inside their folder, and classes have a lifetime', () => {
  assert.deepEqual([...climbingImports(sources), ...shape.idleClasses(sources)], []);
});

test('a test takes a port that no other test has, and counts sessions of its own database, and no job as a request', () => {
  const find = (all: typeof sources) => [
    ...sharedPorts(all),
    ...foreignSessions(all),
    ...countedJobs(all),
  ];
  assert.deepEqual(find(sources), []);
  const file = 'packages/server/test/looking.test.ts';
  // Not in one piece: this file is read too.
  const sessions = ['pg', 'locks'].join('_');
  const text = `// Looks.\nawait freePort();\n"select from ${sessions} where not granted";\nstartServer();
untilWaiting(server, 1);\n`;
  assert.deepEqual(find([{ file, text } as (typeof sources)[0]]), [
    `${file}:2: take the port from own-port.ts`,
    `${file}:3: name the database, by datname or database`,
    `${file}: count who waits for a lock without a pipeline, or settle it first`,
  ]);
});

test('the key of a row has one type', () => {
  assert.deepEqual(shape.ownRowKeys(sources), []);
});

test('no folder is created by a call that may never return', () => {
  assert.deepEqual(shape.endlessFolders(sources), []);
  const endless = { file: 'packages/cli/src/a.ts', text: 'mkdir(a, { recursive: true })' };
  assert.equal(shape.endlessFolders([endless as (typeof sources)[0]]).length, 1);
});

test('files are found in a folder of any name', () => {
  assert.deepEqual(shape.escapedPaths(sources), []);
  // Not in one piece: this file is read too.
  const text = ["new URL('a.ts', import.meta.url)", 'pathname'].join('.');
  const escaped = { file: 'packages/cli/src/a.ts', text };
  assert.equal(shape.escapedPaths([escaped as (typeof sources)[0]]).length, 1);
});

test('SQL is in queries, and only its owner writes a table', () => {
  assert.deepEqual([...shape.strayStatements(sources), ...shape.sharedTables(sources)], []);
});

test('nothing fails without a caller that waits for it', () => {
  assert.deepEqual([...shape.lostRejections(sources), ...shape.promisesAside(sources)], []);
});

test('every statement works with its tables spread over many machines', () => {
  assert.deepEqual(lines(lintStatements(sources)), []);
});

test('every migration keeps its tables distributable by bucket', () => {
  assert.deepEqual(lines(lintMigrations(readSources(root, migrations))), []);
});

test('canary: the linter reports each known violation, and nothing else', async () => {
  const expected = expectations(known, 'here');
  assert.ok(expected.length > 50);
  assert.deepEqual(linesOf(await lint(root, canary)), expected);
});

test('canary: each row of the borders refuses a package that it does not name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-borders-'));
  const files = borders.flatMap((border) =>
    border.files.map((glob) => {
      const place = glob.replace('/**', '').replace('areas/*', 'areas/articles');
      const named = place.endsWith('.ts') ? place.replace('/*.ts', '/row.ts') : `${place}/row.ts`;
      return `packages/${named.replace('src/*/', 'src/without-row/')}`;
    }),
  );
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), "// A row.\nimport 'left-pad';\n");
  }
  const found = await lint(root, folder);
  rmSync(folder, { recursive: true });
  assert.deepEqual(
    linesOf(found),
    files.map((file) => `${file}:2 no-restricted-imports`).toSorted(),
  );
});

test('canary: so do the rules for statements and migrations', () => {
  const files = readSources(canary, migrations);
  const found = [...lintStatements(known), ...lintMigrations(files)];
  const misnamed = 'packages/server/src/database/migrations/second.sql:1 migration-name';
  const expected = [...expectations([...known, ...files], 'below'), misnamed];
  assert.deepEqual(linesOf(found), expected.toSorted());
});

test('canary: so do the rules for the shape of the tree', () => {
  const src = 'packages/server/src';
  assert.deepEqual(shape.misplacedFiles(known), [
    `${src}/areas/articles/constants.ts: not one of the eight names of an area`,
    `${src}/areas/gardening/rules.ts: gardening is not an area`,
    'areas/gardening: has no door, index.ts',
  ]);
  assert.deepEqual(shape.missingOperations(known, ['publishArticle', 'issueToken', 'readMe']), [
    'read-me: implemented 0 times',
    `${src}/areas/articles/operations/bake-bread.ts: no such operation in the contract`,
    `${src}/areas/articles/operations/publish-article.ts: no test beside it`,
    `${src}/areas/identity/operations/issue-token.ts: no test beside it`,
  ]);
  assert.deepEqual(shape.areasThatDiffer(known), [
    'packages/contract/src/discovery/search.ts: declares issueToken, which is in the area identity of the server',
  ]);
  assert.deepEqual(shape.namedOperations(known, ['publishArticle', 'issueToken', 'readMe']), [
    `${src}/http/naming-operations.ts:3: publishArticle: names an operation`,
    `${src}/http/naming-operations.ts:8: 'readMe' names an operation`,
  ]);
  assert.deepEqual(shape.bannedNames(known), [
    `${src}/lib/utils.ts: utils says nothing about what is inside`,
  ]);
  const sheets = [300, 301].map((count) => ({ file: `${count}.css`, text: 'a{}\n'.repeat(count) }));
  assert.deepEqual(shape.longSheets(sheets), ['301.css: 301 lines; divide it by what it styles']);
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
  assert.deepEqual(replacedNames(known, glossary), [
    `${src}/lib/hold-row.ts: hold-row says "hold"; the glossary says "lock"`,
    `${src}/lib/hold-row.ts: lookAgain says "look again"; the glossary says "retry"`,
  ]);
  const ofNames = known.filter(({ file }) => file.endsWith('hold-row.ts'));
  assert.deepEqual(participleNames(ofNames), [
    `${src}/lib/hold-row.ts: shown is a participle; name what the function does or returns`,
  ]);
  assert.deepEqual(unusualWords(known), [
    `${src}/lib/hold-row.ts:2: write "anyone who"`,
    `${src}/lib/hold-row.ts:3: write "again"`,
    `${src}/lib/hold-row.ts:4: write "is not a"`,
  ]);
  assert.deepEqual(strayVerbs(known), [
    `${src}/areas/articles/queries.ts: forgetArticle begins with no verb of statements`,
  ]);
  assert.deepEqual(shape.withoutOpeningComment(known), [
    `${src}/lib/without-comment.ts: the first line does not say what the file contains`,
  ]);
  assert.deepEqual(shape.idleClasses(known), [
    `${src}/lib/idle-class.ts: a class without [Symbol.asyncDispose]; write functions`,
  ]);
  assert.deepEqual(shape.ownRowKeys(known), [
    `${src}/areas/identity/queries.ts: a bucket and an id are a RowKey`,
  ]);
  assert.deepEqual(shape.strayStatements(known), [
    `${src}/areas/articles/outbox.ts:4: SQL outside queries`,
  ]);
  assert.deepEqual(shape.sharedTables(known), ['articles: written by articles and identity']);
  assert.deepEqual(shape.promisesAside(known), [
    `${src}/areas/articles/outbox.ts: second is awaited after another promise: await both in Promise.all`,
  ]);
  assert.deepEqual(
    climbingImports(known).map((line) => line.replace(`${src}/`, '')),
    [
      'packages/islands/src/browser/reaching-out.ts:6: ../bundle.ts leaves its folder',
      'packages/islands/src/bundle.ts:4: ../../server/src/config/index.ts leaves its folder',
      'areas/articles/index.ts:6: ../identity/queries.ts leaves its folder',
      'areas/articles/queries.ts:4: ../identity/queries.ts leaves its folder',
      'areas/identity/operations/issue-token.ts:7: ../../articles/index.ts leaves its folder',
      'database/climbing.ts:5: ../../package.json leaves its folder',
      'lib/leaf.ts:8: ../config/index.ts leaves its folder',
      'services.ts:4: ./http/problem.ts leaves its folder',
      'services.ts:5: ../test/harness.ts leaves its folder',
      'packages/text/src/reaching-out.ts:6: ../../server/src/config/index.ts leaves its folder',
    ],
  );
});
