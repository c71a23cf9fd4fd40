// publish, draft, pull and diff: files and articles, front matter that stays as it is, crashes in between.
import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startServer } from '../../server/test/harness.ts';
import type { Human } from '../../server/test/harness.ts';
import { cutAfter, startFaultyProxy } from '../../sdk/test/faulty-proxy.ts';
import { openHome } from './run-cli.ts';
import type { Home } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function openDesk(url = server.baseUrl): Promise<
  Home & {
    readonly human: Human;
    write(name: string, text: string): Promise<void>;
    text(name: string): Promise<string>;
  }
> {
  const human = await server.register();
  const home = await openHome({ COLOPHON_URL: url, COLOPHON_TOKEN: human.token });
  return {
    ...home,
    human,
    write: (name, text) => writeFile(join(home.folder, name), text),
    text: (name) => readFile(join(home.folder, name), 'utf8'),
  };
}

const articlesOf = async ({ human }: { readonly human: Human }) => {
  const query = `author=${human.username}&limit=100`;
  const lists = await Promise.all(
    ['draft', 'published'].map((status) =>
      server.ask('GET', `/v1/articles?${query}&status=${status}`, { token: human.token }),
    ),
  );
  return lists.flatMap(({ body }) => body.items);
};

const careful = `# A comment at the top
layout: post            # for another program
title: 'On proofs'      # in single quotes
topics:
  - publishing
  - proofs   # two
metadata: { series: 3 }
visibility:   unlisted
date: 2026-01-31
long: this is a value that is longer than eighty characters and that no program may fold into lines
`;

test('a file is published, and only id and revision are added to its front matter', async () => {
  await using desk = await openDesk();
  await desk.write('essay.md', `---\n${careful}---\n\nSome *text*.\n`);
  const url = (await desk.out('publish essay.md')).trim();
  const article = await desk.json(['api', 'read-article', '--id', url.slice(-26)]);
  assert.equal(article.url, url);
  assert.deepEqual(
    [article.title, article.visibility, article.status, article.metadata],
    ['On proofs', 'unlisted', 'published', { series: 3, topics: ['publishing', 'proofs'] }],
  );
  const expected = `---\n${careful}id: ${article.id}\nrevision_id: ${article.revision_id}\n---\n\nSome *text*.\n`;
  assert.equal(await desk.text('essay.md'), expected);
});

test('it is revised by its id; nothing new changes nothing', async () => {
  await using desk = await openDesk();
  await desk.write('essay.md', '# On proofs\n\nFirst.\n');
  const first = await desk.json('publish essay.md');
  const before = await desk.text('essay.md');
  assert.deepEqual((await desk.json('publish essay.md')).unchanged, true);
  assert.equal(await desk.text('essay.md'), before);
  await desk.write(
    'essay.md',
    before.replace('First.', 'Second.').replace('---\n\n', 'language: de\n---\n\n'),
  );
  const second = await desk.json('publish essay.md');
  assert.equal(second.id, first.id);
  assert.notEqual(second.revision_id, first.revision_id);
  const article = await desk.json(['api', 'read-article', '--id', first.id]);
  assert.deepEqual(
    [article.title, article.content, article.language],
    ['On proofs', 'Second.', 'de'],
  );
  assert.match(await desk.text('essay.md'), new RegExp(`revision_id: ${second.revision_id}\n`));
  assert.equal((await articlesOf(desk)).length, 1);
});

test('front matter of every form keeps it: line ends, a byte order mark, flow style, none', async () => {
  await using desk = await openDesk();
  const forms = [
    '---\r\ntitle: T # c\r\n---\r\nText.\r\n',
    '\ufeff---\ntitle: T\n---\nText.\n',
    '---\n{ title: T, topics: [ab, cd] }\n---\nText.\n',
    '---\ntitle: T\nid:\n---\nText.\n',
    '---\ntitle: T\n---\nText with\n---\na line.',
    '# T\nText.',
  ];
  for (const [at, form] of forms.entries()) {
    const name = `form-${at}.md`;
    await desk.write(name, form);
    const { id, revision_id } = await desk.json(['draft', name]);
    const text = await desk.text(name);
    for (const value of [id, revision_id]) assert.ok(text.includes(value), text);
    assert.equal(text.startsWith('\ufeff'), form.startsWith('\ufeff'));
    assert.equal(/(?<!\r)\n/.test(text), /(?<!\r)\n/.test(form), JSON.stringify(text));
    assert.ok(text.endsWith(form.slice(form.indexOf('Text'))), text);
    assert.deepEqual((await desk.json(['draft', name])).unchanged, true);
  }
});

test('a file that cannot be an article is refused with the reason, and nothing is sent', async () => {
  await using desk = await openDesk();
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['No title.', /has no title[^]*# Title/],
    ['---\ntitle: [\n---\nx', /not valid YAML/],
    ['---\n- a\n---\nx', /not a list of names/],
    ['---\ntitle: 5\n---\nx', /title in wrong.md must be a text/],
  ];
  for (const [text, said] of wrong) {
    await desk.write('wrong.md', text);
    const { code, err } = await desk.run('publish wrong.md');
    assert.equal(code, 1);
    assert.match(err, said);
  }
  assert.equal((await articlesOf(desk)).length, 0);
  assert.equal((await desk.run('publish missing.md')).code, 1);
});

test('a crash after the creation leads to no second article, whatever happened to the file since', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  await using desk = await openDesk(proxy.baseUrl);
  await desk.write('essay.md', '# T\n\nFirst.\n');
  proxy.plan(cutAfter('POST', '/v1/articles'));
  const crashed = await desk.run('publish essay.md --attempts 1');
  assert.equal(crashed.code, 28, crashed.err);
  assert.equal((await articlesOf(desk)).length, 1);
  assert.ok(!(await desk.text('essay.md')).includes('id:'));
  await desk.write('essay.md', '# T\n\nSecond.\n');
  const { id } = await desk.json('publish essay.md');
  const articles = await articlesOf(desk);
  assert.deepEqual(
    articles.map((one) => one.id),
    [id],
  );
  assert.equal((await desk.json(['api', 'read-article', '--id', id])).content, 'Second.');
});

test('a replay that is refused for its token keeps the record for the next one', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  await using desk = await openDesk(proxy.baseUrl);
  const token = (await desk.out('token issue --name reader --scopes articles:read')).trim();
  await desk.write('essay.md', '# On proofs\n\nFirst.\n');
  proxy.plan(cutAfter('POST', '/v1/articles'));
  assert.equal((await desk.run('publish essay.md --attempts 1')).code, 28);
  const refused = await desk.run('publish essay.md', { env: { COLOPHON_TOKEN: token } });
  assert.equal(refused.code, 13, refused.err);
  await desk.out('publish essay.md');
  assert.equal((await articlesOf(desk)).length, 1);
});

test('verify answers that the article of a person is unsigned', async () => {
  await using desk = await openDesk();
  const { id } = await server.published(desk.human);
  const { code, out } = await desk.run(['verify', id, '--json']);
  assert.deepEqual([code, JSON.parse(out).reason], [3, 'unsigned']);
});

test('a day after the crash, when the service has forgotten the key, the draft is found', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  await using desk = await openDesk(proxy.baseUrl);
  await desk.write('essay.md', '# T\n\nFirst.\n');
  proxy.plan(cutAfter('POST', '/v1/articles'));
  await desk.run('draft essay.md --attempts 1');
  const folder = join(desk.folder, '.local/state/colophon/creations');
  const [name = ''] = await readdir(folder);
  const file = join(folder, name);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const record = JSON.parse(await readFile(file, 'utf8'));
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
  await writeFile(file, JSON.stringify({ ...record, key: 'another-key', started_at: yesterday }));
  const { id } = await desk.json('draft essay.md');
  assert.deepEqual(
    (await articlesOf(desk)).map((one) => one.id),
    [id],
  );
  assert.deepEqual(await readdir(folder), []);
});

test('a crash after the revision is completed by the next run', async () => {
  await using proxy = await startFaultyProxy(server.baseUrl);
  await using desk = await openDesk(proxy.baseUrl);
  await desk.write('essay.md', '# T\n\nFirst.\n');
  const { id } = await desk.json('publish essay.md');
  await desk.write('essay.md', (await desk.text('essay.md')).replace('First', 'Second'));
  proxy.plan(cutAfter('POST', `/v1/articles/${id}/revisions`));
  assert.equal((await desk.run('publish essay.md --attempts 1')).code, 28);
  await desk.out('publish essay.md');
  const revisions = (await desk.out(['api', 'list-revisions', '--id', id, '--all'])).trim();
  assert.equal(revisions.split('\n').length, 2);
  assert.equal((await desk.json(['api', 'read-article', '--id', id])).content, 'Second.');
});

test('a file that is behind the service is not published over it', async () => {
  await using desk = await openDesk();
  await desk.write('essay.md', '# T\n\nFirst.\n');
  const { id, revision_id } = await desk.json('publish essay.md');
  const elsewhere = ['--id', id, '--if-match', revision_id, '--content', 'Elsewhere.'];
  await desk.out(['api', 'create-revision', ...elsewhere]);
  const mine = (await desk.text('essay.md')).replace('First', 'Mine');
  await desk.write('essay.md', mine);
  const { code, err } = await desk.run('publish essay.md');
  assert.equal(code, 19);
  assert.match(err, /Next: The current revision is \w{26}\. Compare with `colophon diff/);
  assert.equal(await desk.text('essay.md'), mine);
  const different = await desk.run('diff essay.md', { columns: 80, env: { FORCE_COLOR: '1' } });
  assert.equal(different.code, 3);
  assert.match(different.out, /\u001b\[31m-Elsewhere\.\u001b\[39m\n\u001b\[32m\+Mine\./);
  assert.equal((await desk.run('pull essay.md')).code, 1);
  await desk.out('pull essay.md --force');
  assert.match(await desk.text('essay.md'), /# T\n\nElsewhere\.\n$/);
  assert.equal((await desk.run('diff essay.md')).code, 0);
});

test('pull writes what publish takes; a file without own changes is brought up to date', async () => {
  await using desk = await openDesk();
  await desk.write('essay.md', `---\n${careful}---\n\nSome *text*.\n`);
  const { id } = await desk.json('publish essay.md');
  await desk.out(['pull', id, 'copy.md']);
  assert.equal((await desk.json('publish copy.md')).unchanged, true);
  assert.equal((await desk.run(['pull', id, 'copy.md'])).code, 2);
  await desk.write('copy.md', (await desk.text('copy.md')).replace('text', 'new text'));
  await desk.out('publish copy.md');
  await desk.out('pull essay.md');
  const pulled = await desk.text('essay.md');
  assert.match(pulled, /Some \*new text\*\.\n$/);
  assert.ok(pulled.startsWith(`---\n${careful}`), pulled);
});

test('a link stays a link, and the file keeps its mode', async () => {
  await using desk = await openDesk();
  await desk.write('target.md', '# T\n\nText.\n');
  await chmod(join(desk.folder, 'target.md'), 0o666);
  await symlink(join(desk.folder, 'target.md'), join(desk.folder, 'link.md'));
  const { id } = await desk.json('draft link.md');
  assert.ok((await desk.text('target.md')).includes(id));
  assert.equal((await stat(join(desk.folder, 'target.md'))).mode & 0o777, 0o666);
  await utimes(join(desk.folder, 'target.md'), 0, 0);
  await desk.out('draft link.md');
  assert.equal((await stat(join(desk.folder, 'target.md'))).mtimeMs, 0);
});

test('an agent signs with its key, and the proof is valid online and from saved files', async () => {
  await using desk = await openDesk();
  const agent = `s${desk.human.username.slice(0, 20)}`;
  await desk.out(['agent', 'create', agent, '--store', 'scribe']);
  assert.match(
    await desk.out('key create laptop'),
    /Next: colophon key register laptop --agent AGENT\n/,
  );
  const ofAgent = await desk.out('key create other --profile scribe');
  assert.match(ofAgent, /Next: colophon key register other\n/);
  const key = join(desk.folder, 'config/colophon/keys/laptop.json');
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  await desk.write('note.md', '# Note\n\nSigned.\n');
  const ofPerson = await desk.run('publish note.md --sign laptop');
  assert.match(ofPerson.err, /key register laptop --agent AGENT/);
  const unregistered = await desk.run('publish note.md --sign laptop --profile scribe');
  assert.deepEqual([unregistered.code, /key register laptop/.test(unregistered.err)], [2, true]);
  const registered = await desk.out('key register laptop --profile scribe');
  assert.match(registered, /\nNext: colophon publish FILE\.md --sign laptop --profile scribe\n$/);
  const byOwner = desk.out(['key', 'register', 'laptop', '--agent', agent]);
  assert.match(await byOwner, /--sign laptop --profile PROFILE_OF_THE_AGENT\n$/);
  const again = await desk.json('key register laptop --profile scribe');
  const { id, signed } = await desk.json('publish note.md --sign laptop --profile scribe');
  assert.equal(signed, true);
  const verdict = await desk.json(['verify', id, '--save', 'evidence']);
  assert.deepEqual([verdict.result, verdict.key.id], ['valid', again.id]);
  const offline = { env: { COLOPHON_URL: 'http://127.0.0.1:9' } };
  const kept = '--trusted kept.json';
  await desk.write('kept.json', await desk.text('evidence/trusted.json'));
  assert.equal((await desk.json(`verify evidence ${kept}`, offline)).result, 'valid');
  const [proof, text, trusted] = await Promise.all(
    ['proof', 'revision', 'trusted'].map((name) => desk.text(`evidence/${name}.json`)),
  );
  await desk.write('one.json', `{"proof": ${proof}, "revision": ${text}, "trusted": ${trusted}}`);
  assert.equal((await desk.json(`verify one.json ${kept}`, offline)).result, 'valid');
  const other = await desk.run('verify evidence/proof.json', offline);
  assert.deepEqual([other.code, /not the evidence/.test(other.err)], [1, true]);
  const revision = JSON.parse(await desk.text('evidence/revision.json'));
  await desk.write('evidence/revision.json', JSON.stringify({ ...revision, content: 'Forged.' }));
  const forged = await desk.run('verify evidence', offline);
  assert.deepEqual([forged.code, /Refused\ncontent-hash/.test(forged.out)], [3, true]);
});
