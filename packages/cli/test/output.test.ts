// What people and scripts see: tables and colours at a terminal, columns in a pipe, progress of an upload.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { json, refuse, startScript } from '../../sdk/test/scripted-server.ts';
import { startServer } from '../../server/test/harness.ts';
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
  assert.match(err, /\r█+ 100% of \d\.\d MB\r +\r$/);
  assert.match(out, /^Uploaded heron\.png as (\w{26})\.\nMarkdown: !\[Heron\]\(http.*\)\n$/);
  const id = /as (\w{26})/.exec(out)?.[1] ?? '';
  const media = await home.json(['api', 'read-media', '--id', id]);
  assert.equal(media.checksum_sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.equal((await home.run('upload heron.png')).err, '');
});

test('a file that cannot be uploaded is refused before it is sent', async () => {
  await writeFile(join(home.folder, 'page.html'), '<p>');
  const kind = await home.run('upload page.html');
  assert.deepEqual([kind.code, /Add --kind: image, video/.test(kind.err)], [2, true]);
  const rejected = await home.run('upload page.html --kind image');
  assert.deepEqual([rejected.code, /rejected the file/.test(rejected.err)], [1, true]);
});

test('a missing scope says which one and how to get it', async () => {
  await using service = await startScript(
    refuse('insufficient-scope', { required_scopes: ['articles:publish'], held_scopes: [] }),
  );
  const { code, err } = await home.run(['whoami', '--url', service.baseUrl]);
  assert.equal(code, 13);
  assert.match(err, /Next: Use a token with articles:publish: `colophon token issue --help`/);
});

test('every command lists the options that all commands take', async () => {
  const help = await home.out('token issue --help');
  for (const option of ['--profile', '--url', '--json', '--idempotency-key', '--timeout'])
    assert.ok(help.includes(option), option);
});
