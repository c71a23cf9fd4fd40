// The first publication of a file: once for several programs at once, and refused before anything is sent.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { startFaultyProxy } from '../../sdk/test/faulty-proxy.ts';
import { startServer } from '../../server/test/harness.ts';
import { openHome } from './run-cli.ts';
import type { Home } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function openDesk(): Promise<Home & { readonly count: () => Promise<number> }> {
  const human = await server.register();
  const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: human.token });
  const list = ['api', 'list-articles', '--author', human.username, '--all', '--status'];
  const count = async () => {
    const lists = await Promise.all(
      ['draft', 'published'].map((status) => home.out([...list, status])),
    );
    return lists.join('').split('\n').length - 1;
  };
  return { ...home, count };
}

test('two programs that publish a new file at once publish one article', async () => {
  await using desk = await openDesk();
  for (let round = 1; round <= 5; round += 1) {
    const name = `essay-${round}.md`;
    await writeFile(join(desk.folder, name), `# T ${round}\n\nText.\n`);
    const runs = await Promise.all([desk.run(['publish', name]), desk.run(['publish', name])]);
    for (const { code, err } of runs) assert.equal(code, 0, err);
    assert.equal(new Set(runs.map(({ out }) => out)).size, 1);
    assert.equal(await desk.count(), round);
  }
  assert.deepEqual(await readdir(join(desk.folder, '.local/state/colophon/creations')), []);
});

test('an article that was just created is not called unchanged', async () => {
  await using desk = await openDesk();
  await writeFile(join(desk.folder, 'essay.md'), '# T\n\nText.\n');
  const first = await desk.out('draft essay.md');
  assert.doesNotMatch(first, /already has this text/);
  assert.match(await desk.out('draft essay.md'), /already has this text/);
  await writeFile(join(desk.folder, 'other.md'), '# T\n\nText.\n');
  assert.equal((await desk.json('publish other.md')).unchanged, false);
  assert.equal((await desk.json('publish other.md')).unchanged, true);
});

test('a date in the past is the date of publication; a bad one is refused before any request', async () => {
  await using desk = await openDesk();
  const write = (date: string) =>
    writeFile(join(desk.folder, 'essay.md'), `---\npublished_at: ${date}\n---\n\n# T\n\nText.\n`);
  const wrong = { yesterday: /not a date/, '2020-02-31': /not a date/, '2999-01-01': /the future/ };
  for (const [date, said] of Object.entries(wrong)) {
    await write(date);
    const { code, err } = await desk.run('publish essay.md');
    assert.deepEqual([code, said.test(err)], [1, true], err);
  }
  assert.equal(await desk.count(), 0);
  await write('2020-01-01');
  const { id } = await desk.json('publish essay.md');
  const { published_at } = await desk.json(['api', 'read-article', '--id', id]);
  assert.equal(published_at, '2020-01-01T00:00:00.000Z');
  assert.match(
    await readFile(join(desk.folder, 'essay.md'), 'utf8'),
    /^published_at: 2020-01-01$/m,
  );
});

test(
  'a pipe cannot take the id of an article: it is refused before any request',
  { timeout: 300_000 },
  async () => {
    await using desk = await openDesk();
    await promisify(execFile)('mkfifo', [join(desk.folder, 'pipe')]);
    const { code, err } = await desk.run('publish pipe');
    assert.equal(code, 2);
    assert.match(
      err,
      /^colophon: pipe is not a file: [^]*Next: Save the text in a file first\.\n$/,
    );
    assert.equal(await desk.count(), 0);
  },
);

test('pull names a file as the address names the article, and explains a folder that is missing', async () => {
  await using desk = await openDesk();
  const names = { 'Über Käse': 'uber-kase.md', 'Йод и が': 'йод-и-が.md', '¿…?': 'article.md' };
  for (const [title, name] of Object.entries(names)) {
    await writeFile(join(desk.folder, 'essay.md'), `# ${title}\n\nText.\n`);
    const { id } = await desk.json('publish essay.md');
    assert.equal(await desk.out(['pull', id]), `${name}\n`);
    const { code, err } = await desk.run(['pull', id, 'missing/a.md']);
    assert.equal(code, 1);
    assert.match(
      err,
      /^colophon: Cannot write missing\/a\.md: its folder does not exist\.\nNext: /,
    );
  }
});

test('a key that cannot sign is refused before anything is written, also by --dry-run', async () => {
  await using desk = await openDesk();
  await writeFile(join(desk.folder, 'note.md'), '# Note\n\nSigned.\n');
  const { username } = (await desk.json('whoami')).principal;
  const name = `s${username.slice(0, 20)}`;
  await desk.out(['agent', 'create', name, '--store', 'scribe']);
  await desk.out('key create laptop');
  await desk.out('key register laptop --profile scribe');
  const file = join(desk.folder, 'config/colophon/keys/laptop.json');
  const key = JSON.parse(await readFile(file, 'utf8'));
  const secret: string = key.secret_key.slice(1);
  await writeFile(file, JSON.stringify({ ...key, secret_key: secret }));
  for (const command of [
    'publish note.md --profile scribe --sign laptop --dry-run',
    'publish note.md --profile scribe --sign laptop',
    'key register laptop --profile scribe',
  ]) {
    const { code, err } = await desk.run(command);
    assert.deepEqual([code, /"laptop" is damaged.*\nNext: Restore/.test(err)], [1, true], err);
    assert.ok(!err.includes(secret));
  }
  const unknown = await desk.run('publish note.md --profile scribe --sign none --dry-run');
  assert.deepEqual([unknown.code, /no key "none"/.test(unknown.err)], [2, true], unknown.err);
  const drafts = ['api', 'list-articles', '--author', name, '--status', 'draft'];
  assert.deepEqual((await desk.json([...drafts, '--profile', 'scribe'])).items, []);
});

test('topics are a list, or words separated by commas', async () => {
  await using desk = await openDesk();
  for (const topics of ['[publishing, proofs]', 'publishing, proofs', '"publishing,proofs,"']) {
    const file = join(desk.folder, 'listed.md');
    await writeFile(file, `---\ntitle: T\ntopics: ${topics}\n---\nText.\n`);
    const { id } = await desk.json('draft listed.md');
    const article = await desk.json(['api', 'read-article', '--id', id]);
    assert.deepEqual(article.topics, ['publishing', 'proofs'], topics);
  }
});

test('what is written into a file while pull reads the article stays, also with --force', async () => {
  await using desk = await openDesk();
  await using proxy = await startFaultyProxy(server.baseUrl);
  const file = join(desk.folder, 'essay.md');
  await writeFile(file, '# T\n\nOne.\n');
  const { id, revision_id } = await desk.json('publish essay.md');
  const revision = ['--id', id, '--if-match', revision_id, '--content', 'Two.'];
  await desk.out(['api', 'create-revision', ...revision]);
  const before = await readFile(file, 'utf8');
  const edited = before.replace('One.', 'One, and what I write now.');
  proxy.plan((_, path) => {
    if (path.includes('/revisions/')) writeFileSync(file, edited);
    return undefined;
  });
  const env = { COLOPHON_URL: proxy.baseUrl };
  for (const words of [[], ['--force']]) {
    await writeFile(file, before);
    const { code, err } = await desk.run(['pull', 'essay.md', ...words], { env });
    assert.equal(code, 1);
    assert.match(err, /^colophon: essay\.md was changed meanwhile, and is left as it is\.\nNext: /);
    assert.equal(await readFile(file, 'utf8'), edited);
  }
  assert.match(await desk.out('pull essay.md --force'), /essay\.md/);
  assert.match(await readFile(file, 'utf8'), /^Two\.$/m);
});

test('a file whose name is nearly as long as a name may be is published', async () => {
  await using desk = await openDesk();
  const name = `${'書'.repeat(80)}.md`;
  await writeFile(join(desk.folder, name), '# T\n\nText.\n');
  const { id } = await desk.json(['publish', name]);
  assert.ok((await readFile(join(desk.folder, name), 'utf8')).includes(id));
  assert.deepEqual((await readdir(desk.folder)).toSorted(), ['.local', name]);
});

test('where the program cannot record what it begins, it says so, and creates nothing', async () => {
  await using desk = await openDesk();
  await writeFile(join(desk.folder, 'essay.md'), '# T\n\nText.\n');
  await writeFile(join(desk.folder, '.local'), 'a file where the folder should be');
  const { code, err } = await desk.run('publish essay.md');
  assert.equal(code, 1);
  assert.match(
    err,
    /^colophon: Cannot use .*: a part of its path is not a folder\.\nNext: Correct/,
  );
  assert.equal(await desk.count(), 0);
});
