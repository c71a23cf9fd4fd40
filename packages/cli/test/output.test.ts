// What people and scripts see: tables and colours at a terminal, columns in a pipe, progress of an upload.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { json, refuse, startScript } from '../../sdk/test/scripted-server.ts';
import { freshName, startServer } from '../../server/test/harness.ts';
import { pngOf } from '../../server/test/media-files.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const ada = await server.register();
const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
after(() => home[Symbol.asyncDispose]());

const escape = '\u001b';

test('a terminal gets a table in colours that fits, a pipe columns without either', async () => {
  const title =
    `A title that is much longer than the terminal is wide: ${'word '.repeat(20)}`.trim();
  const { id } = await server.published(ada, { title });
  const shown = await home.out('feed', { columns: 80 });
  const [head = '', row = ''] = shown.split('\n');
  assert.ok(head.startsWith(`${escape}[1mID`), JSON.stringify(head));
  assert.match(row, new RegExp(`^${id}  .*…$`));
  assert.ok(row.length <= 80, String(row.length));
  const plain = await home.out('feed', { columns: 80, env: { NO_COLOR: '1' } });
  assert.match(plain, /^ID +PUBLISHED +AUTHOR +TITLE\n/);
  assert.ok(!(await home.out('feed', { columns: 80, env: { TERM: 'dumb' } })).includes(escape));
  const piped = await home.out('feed');
  assert.deepEqual(piped.trim().split('\t').length, 4);
  assert.ok(!piped.includes(escape) && piped.includes(title));
  assert.equal(JSON.parse(await home.out('feed --json')).id, id);
});

test('a terminal that says that it has no columns is taken for one of 80', async () => {
  const title = 'A title of some forty characters in all';
  await server.published(ada, { title });
  const shown = await home.out('feed', { columns: 0, env: { NO_COLOR: '1' } });
  assert.equal(shown, await home.out('feed', { columns: 80, env: { NO_COLOR: '1' } }));
  assert.equal(
    await home.out('feed --help', { columns: 0 }),
    await home.out('feed --help', { columns: 80 }),
  );
});

test('an empty list says so at a terminal, and is nothing in a pipe', async () => {
  const author = (await server.register()).username;
  const asked = ['feed', '--author', author];
  const shown = await home.run(asked, { columns: 80 });
  assert.deepEqual([shown.code, shown.out, shown.err], [0, '', 'Nothing found.\n']);
  for (const args of [asked, [...asked, '--json']]) {
    const piped = await home.run(args);
    assert.deepEqual([piped.code, piped.out, piped.err], [0, '', '']);
  }
});

test('a word that is not among the choices is refused in words of the command line', async () => {
  const { code, err } = await home.run(['edge', 'ID', 'likes', 'OTHER']);
  assert.equal(code, 2);
  assert.match(err, /^colophon: value 'likes' is \w+ for argument 'kind'\. Allowed choices are /);
});

test('events at a terminal are sentences with names and addresses; in a pipe they are fields', async () => {
  const bob = await server.register();
  const { id } = await server.published(ada, { title: 'Talked about' });
  const asked = { token: bob.token, key: true, body: { content: 'Indeed.' } } as const;
  const said = await server.ask('POST', `/v1/articles/${id}/comments`, asked);
  const follow = { token: bob.token, key: true, body: { principal_id: ada.id } } as const;
  await server.ask('POST', '/v1/follows', follow);
  const shown = await home.out('events', { columns: 80 });
  const comment = `@${bob.username} commented: ${server.baseUrl}/comments/${said.body.id}`;
  assert.match(shown, new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  ${comment}  \\w{26}$`, 'm'));
  assert.match(shown, new RegExp(`  @${bob.username} follows you  `));
  const piped = await home.out('events');
  assert.match(
    piped,
    new RegExp(`\\tcomment\\.created\\tcomment ${said.body.id}\\t${bob.id}$`, 'm'),
  );
});

test('events of an agent are named by its username or its id', async () => {
  const name = freshName();
  const { principal_id } = await home.json(['agent', 'create', name, '--store', name]);
  const bob = await server.register();
  const follow = { token: bob.token, key: true, body: { principal_id } } as const;
  await server.ask('POST', '/v1/follows', follow);
  const byName = await home.out(['events', '--of', name]);
  assert.match(byName, new RegExp(`\\tfollow\\.created\\t.*${bob.id}$`, 'm'));
  assert.equal(await home.out(['events', '--of', principal_id]), byName);
  const unknown = await home.run('events --of nobody-of-this-name');
  assert.equal(unknown.code, 14);
});

test('somebody else’s article is published with a token of its author', async () => {
  await using service = await startScript(refuse('forbidden'));
  const { code, err } = await home.run(['whoami', '--url', service.baseUrl]);
  assert.equal(code, 12);
  assert.match(err, /Next: If it belongs to another account, use that one with --profile NAME/);
});

test('lists end where they are told to, and no more is requested', async () => {
  const items = Array.from({ length: 3 }, (_, at) => ({ id: `${at}`, author: {} }));
  await using service = await startScript(json(200, { items, next_cursor: 'more' }));
  const out = await home.out(['feed', '--limit', '4', '--json', '--url', service.baseUrl]);
  assert.equal(out.trim().split('\n').length, 4);
  assert.deepEqual(
    service.seen.map(({ url }) => url),
    ['/v1/feed?limit=4', '/v1/feed?limit=4&cursor=more'],
  );
});

test('an upload shows its progress at a terminal, and the stored bytes are those of the file', async () => {
  const bytes = pngOf(300, 300);
  await writeFile(join(home.folder, 'heron.png'), bytes);
  const { code, out, err } = await home.run('upload heron.png --alt Heron', {
    errorsAreShown: true,
  });
  assert.equal(code, 0, err);
  assert.match(err, /\r█+ 100% of (?:[1-9]\d* bytes|[1-9]\d*\.\d KB)\r +\r$/);
  assert.match(out, /^Uploaded heron\.png as (\w{26})\.\nMarkdown: !\[Heron\]\(http.*\)\n$/);
  const id = /as (\w{26})/.exec(out)?.[1] ?? '';
  const media = await home.json(['api', 'read-media', '--id', id]);
  assert.equal(media.checksum_sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.equal((await home.run('upload heron.png')).err, '');
});

test('the Markdown of an upload shows the description as it was given', async () => {
  const alt = String.raw`a ] ![x](y) *b* <i> \ &amp; _c_ ~`;
  const out = await home.out(['upload', 'heron.png', '--alt', alt]);
  const markdown = /^Markdown: (.*)$/m.exec(out)?.[1] ?? '';
  const image = fromMarkdown(markdown).children[0];
  assert.ok(image?.type === 'paragraph' && image.children.length === 1);
  assert.partialDeepStrictEqual(image.children[0], { type: 'image', alt });
});

test('a file that cannot be uploaded is refused before it is sent', async () => {
  await writeFile(join(home.folder, 'page.html'), '<p>');
  const missing = await home.run('upload nofile');
  assert.deepEqual([missing.code, /nofile: it does not exist\./.test(missing.err)], [1, true]);
  const folder = await home.run('publish .');
  assert.deepEqual([folder.code, /Cannot read \.: it is a folder\./.test(folder.err)], [1, true]);
  await symlink('circle.md', join(home.folder, 'circle.md'));
  const circle = await home.run('publish circle.md');
  assert.match(circle.err, /^colophon: Cannot read circle\.md: its links lead in a circle\.\n/);
  const kind = await home.run('upload page.html');
  assert.deepEqual([kind.code, /Add --kind: image, video/.test(kind.err)], [2, true]);
  const rejected = await home.run('upload page.html --kind image');
  assert.deepEqual([rejected.code, /rejected the file/.test(rejected.err)], [1, true]);
});

test('a missing scope says which one and how to get it', async () => {
  await using service = await startScript(
    refuse('insufficient-scope', { required_scopes: ['articles:publish'], held_scopes: [] }),
    refuse('insufficient-scope', { required_scopes: ['admin:moderate'], held_scopes: [] }),
  );
  const { code, err } = await home.run(['whoami', '--url', service.baseUrl]);
  assert.equal(code, 13);
  assert.match(
    err,
    /Next: Use a token that has articles:publish.*can only issue scopes that it has/,
  );
  const { err: ofAdmin } = await home.run(['whoami', '--url', service.baseUrl]);
  assert.match(ofAdmin, /Next: An operator or an administrator must grant admin:moderate\./);
});

test('a refused value is named once, and an address without http:// is explained', async () => {
  const detail = 'title must not be empty.';
  await using service = await startScript(
    refuse('validation-failed', { detail, errors: [{ pointer: '/title', detail }] }),
  );
  const { err } = await home.run(['whoami', '--url', service.baseUrl]);
  assert.equal(err.split(detail).length, 2, err);
  assert.match(err, /\n {2}\/title: title[^\n]*\nNext: Correct what is named above/);
  const address = await home.run('whoami --url localhost:21030');
  assert.equal(address.code, 2);
  assert.match(
    address.err,
    /"localhost:21030" is not the address[^\n]*\nNext: .*http:\/\/ or https/,
  );
  const ofRequests = await home.run(['whoami', '--url', `${service.baseUrl}/v1`]);
  assert.equal(ofRequests.code, 2);
  assert.match(ofRequests.err, /\/v1" is not the address[^\n]*\nNext: .*without \/v1\./);
});

test('an allowance that is a total says to delete, another one until when to wait', async () => {
  const quota = { name: 'q', limit: 1, used: 1, remaining: 0, window: 'day' };
  await using service = await startScript(
    refuse('quota-exceeded', { quota: { ...quota, reset_at: '2027-01-01T00:00:00.000Z' } }),
    refuse('quota-exceeded', {
      quota: { ...quota, window: 'total', reset_at: '9999-12-31T23:59:59.999Z' },
    }),
  );
  const command = ['whoami', '--attempts', '1', '--url', service.baseUrl];
  assert.match((await home.run(command)).err, /Next: Wait until 2027-01-01T00:00:00\.000Z\./);
  const { err } = await home.run(command);
  assert.match(err, /Next: Delete objects that you no longer need/);
  assert.doesNotMatch(err, /9999|Wait until/);
});

test('a table keeps ids and dates whole, and short cells leave their part to longer ones', async () => {
  const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
  const time = '2027-01-31T00:00:00.000Z';
  const token = {
    id,
    name: 'a name that is longer than its part of the terminal',
    prefix: 'abcd',
    expires_at: time,
    revoked_at: null,
    scopes: Array.from({ length: 9 }, () => 'articles:read'),
  };
  const snippet = { text: 'word '.repeat(40), matches: [] };
  const hit = { type: 'article', article: { id, title: 'A title of thirty characters.' }, snippet };
  await using service = await startScript(
    json(200, { items: [token], next_cursor: null }),
    json(200, { items: [hit], next_cursor: null }),
  );
  const at = (columns: number) => ({ columns, env: { NO_COLOR: '1' } });
  const tokens = await home.out(['token', 'list', '--url', service.baseUrl], at(110));
  assert.ok(tokens.includes(id) && tokens.includes(time), tokens);
  for (const line of tokens.split('\n')) assert.ok(line.length <= 110, line);
  const hits = await home.out(['search', 'word', '--url', service.baseUrl], at(100));
  assert.ok(hits.includes(id) && hits.includes('A title of thirty characters.'), hits);
  const public_key = 'k'.repeat(43);
  const registrations = [{ url: 'https://a.example', agent_id: id, key_id: id }];
  const keys = join(home.folder, 'config/colophon/keys');
  await home.out('key create with-a-long-name-for-a-key');
  const file = join(keys, 'with-a-long-name-for-a-key.json');
  const key = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...key, public_key, registrations }));
  const listed = await home.out('key list', at(90));
  assert.ok(listed.includes(id) && listed.includes(public_key), listed);
});

test('help COMMAND is COMMAND --help, and help alone is --help', async () => {
  assert.equal(await home.out('help'), await home.out('--help'));
  assert.equal(await home.out('help publish'), await home.out('publish --help'));
  assert.equal(await home.out('help key create'), await home.out('key create --help'));
  const { code, err } = await home.run('help publsh');
  assert.equal(code, 2);
  assert.match(err, /unknown command 'publsh'\n\(Did you mean publish\?\)/);
});

test('with --json, a command line that the parser refuses is a JSON object on standard error', async () => {
  const lines = [
    ['bogus --json', ''],
    ['whoami --bogus --json', ' whoami'],
    ['--attempts x whoami --json', ' whoami'],
    ['key --json', ' key'],
  ] as const;
  for (const [line, command] of lines) {
    const { code, out, err } = await home.run(line);
    assert.deepEqual([code, out, JSON.parse(err).exit_code], [2, '', 2], line);
    assert.ok(JSON.parse(err).next.startsWith(`\`colophon${command} --help\` `), err);
  }
  const { err } = await home.run('bogus --json');
  assert.equal(JSON.parse(err).error, "unknown command 'bogus'");
  assert.match(
    (await home.run('bogus')).err,
    /^colophon: unknown command 'bogus'\nNext: `colophon --help` lists the commands and options\.\n$/,
  );
});

test('every command lists the options that all commands take', async () => {
  const help = await home.out('token issue --help');
  for (const option of ['--profile', '--url', '--json', '--idempotency-key', '--timeout'])
    assert.ok(help.includes(option), option);
});
