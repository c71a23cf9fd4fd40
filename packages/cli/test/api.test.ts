// `colophon api`: every operation with flags from its schema, answers as JSON, failures by exit code.
import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { operationList, problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import { cut, json, refuse, startScript, text } from '../../sdk/test/scripted-server.ts';
import { startServer } from '../../server/test/harness.ts';
import { kebab, membersOf } from '../src/api/members.ts';
import { problemExits } from '../src/exit-codes.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const ada = await server.register();
const home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
after(() => home[Symbol.asyncDispose]());
const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

test('every operation has a command with a flag for every member, and no flag has two meanings', async () => {
  const ours = ['profile', 'url', 'json', 'idempotency-key', 'attempts', 'timeout', 'help'];
  const own = ['version', 'body', 'file', 'output', 'all'];
  for (const operation of operationList) {
    const help = await home.out(['api', kebab(operation.name), '--help'], { columns: 200 });
    const members = membersOf(operation);
    const flags = members.map(({ flag }) => flag);
    assert.equal(new Set(flags).size, flags.length, operation.name);
    for (const { flag, required } of members) {
      assert.ok(![...ours, ...own].includes(flag), `${operation.name} --${flag}`);
      assert.match(help, new RegExp(`--${flag} [<[].*${required ? 'required' : ''}`));
    }
    assert.ok(help.includes(`${operation.method} ${operation.path}`));
  }
});

test('texts come from the command line, a file and standard input; all members from JSON', async () => {
  await writeFile(join(home.folder, 'text.md'), 'From a *file*.');
  const ways: readonly (readonly [readonly string[], string])[] = [
    [['--title', 'T', '--content', 'Plain.'], 'Plain.'],
    [['--title', 'T', '--content', '@text.md'], 'From a *file*.'],
    [['--title', 'T', '--content', '-'], 'From *input*.'],
    [['--title', 'T', '--content', '@@ada'], '@ada'],
    [['--body', '{"title":"T","content":"From JSON."}'], 'From JSON.'],
    [['--title', 'T', '--body', '{"title":"Other","content":"Mixed."}'], 'Mixed.'],
  ];
  for (const [args, content] of ways) {
    const draft = await home.json(['api', 'create-article', ...args], { input: 'From *input*.' });
    const article = await home.json(['api', 'read-article', '--id', draft.id]);
    assert.deepEqual([article.title, article.content], ['T', content]);
  }
});

test('an answer that cannot be written is one plain sentence', async () => {
  const media = (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end('bytes');
  await using service = await startScript(media);
  const read = ['api', 'read-media-content', '--id', id, '--url', service.baseUrl];
  const { code, err } = await home.run([...read, '--output', 'missing/x.png']);
  assert.equal(code, 1);
  assert.match(err, /^colophon: Cannot write missing\/x\.png: its folder does not exist\.\nNext: /);
});

test('files with tokens and keys are not read as texts, also not through a link', async () => {
  await home.out('key create private');
  const file = join(home.folder, 'config/colophon/keys/private.json');
  assert.ok((await readFile(file)).length > 0);
  await symlink(file, join(home.folder, 'link.md'));
  const create = ['api', 'create-article', '--title', 'T', '--content'];
  const article = (await server.published(ada)).id;
  for (const name of [file, 'config/colophon/../colophon/keys/private.json', 'link.md']) {
    for (const words of [
      [...create, `@${name}`],
      ['comment', article, '--file', name],
    ]) {
      const { code, err } = await home.run([...words, '--dry-run']);
      assert.deepEqual([code, /is a file of this program/.test(err)], [2, true], err);
    }
  }
});

test('values have the types of the contract', async () => {
  await using service = await startScript(json(200, {}));
  const send = (args: readonly string[]) => home.run(['api', ...args, '--url', service.baseUrl]);
  await send(['create-article', '--title', '1', '--content', '2', '--metadata', '{"a":[1]}']);
  await send(['update-article', '--id', id, '--canonical-url', 'null', '--dry-run']);
  await send(['list-articles', '--limit', '5', '--signed', 'false']);
  const scopes = ['--scopes', 'articles:read', 'events:read'];
  await send(['issue-token', '--principal-id', id, '--name', 'x', ...scopes]);
  const [create, update, list, issue] = service.seen;
  assert.deepEqual(JSON.parse(create?.body ?? ''), {
    title: '1',
    content: '2',
    metadata: { a: [1] },
  });
  assert.deepEqual(JSON.parse(update?.body ?? ''), { canonical_url: null });
  assert.equal(update?.url, `/v1/articles/${id}?dry_run=true`);
  assert.equal(list?.url, '/v1/articles?limit=5&signed=false');
  assert.deepEqual(JSON.parse(issue?.body ?? '').scopes, ['articles:read', 'events:read']);
});

test('what is wrong on the command line is refused before anything is sent', async () => {
  await using service = await startScript(json(200, {}));
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['create-artcle'], /Did you mean create-article/],
    [['create-article', '--title', 'T'], /Missing: --content[^]*--help/],
    [['create-article', '--titel', 'T'], /Did you mean --title/],
    [['create-article', '--visibility', 'secret'], /Allowed choices are public, unlisted, private/],
    [['list-articles', '--limit', 'many'], /--limit must be a whole number/],
    [
      ['create-article', '--title', 'T', '--content', 'x', '--metadata', '[1]'],
      /not a JSON object/,
    ],
    [['read-article', '--id', id, '--all'], /unknown option '--all'/],
  ];
  for (const [args, said] of wrong) {
    const { code, err } = await home.run(['api', ...args, '--url', service.baseUrl]);
    assert.equal(code, 2, err);
    assert.match(err, said);
  }
  const missing = ['api', 'create-article', '--title', 'T', '--content', '@missing.md'];
  const { code, err } = await home.run(missing);
  assert.deepEqual([code, /Cannot read missing.md/.test(err)], [1, true]);
  assert.equal(service.seen.length, 0);
});

test('--all lists every page, one JSON object per line', async () => {
  const writer = await server.register();
  for (const title of ['a', 'b', 'c']) await server.published(writer, { title });
  const list = ['api', 'list-articles', '--author', writer.username, '--limit', '2', '--all'];
  const lines = (await home.out(list)).trim().split('\n');
  const titles = new Set(lines.map((line) => JSON.parse(line).title));
  assert.deepEqual(titles, new Set(['a', 'b', 'c']));
});

test('every problem type has its own exit code, and the failure says what to do', async () => {
  const names = Object.keys(problems) as ProblemName[];
  assert.deepEqual(Object.keys(problemExits).toSorted(), [...names].toSorted());
  assert.equal(new Set(Object.values(problemExits)).size, names.length);
  for (const name of names) {
    await using service = await startScript(refuse(name));
    const args = ['api', 'read-me', '--url', service.baseUrl, '--attempts', '1'];
    const { code, out, err } = await home.run(args);
    assert.equal(code, problemExits[name]);
    assert.equal(out, '');
    assert.match(
      err,
      new RegExp(`\\(${name}\\)\n  It is ${name}[^]*\nNext: .{15}[^]*\nRequest: request-1`),
    );
    const document = JSON.parse((await home.run([...args, '--json'])).err);
    assert.deepEqual([document.name, document.exit_code], [name, code]);
  }
});

test('lost connections and foreign answers have exit codes of their own', async () => {
  await using service = await startScript(cut, text(200, '<html>Hotel</html>'));
  const args = ['api', 'read-me', '--url', service.baseUrl, '--attempts', '1'];
  const lost = await home.run(args);
  assert.deepEqual([lost.code, /Check the address/.test(lost.err)], [28, true]);
  assert.equal((await home.run(args)).code, 29);
});

test('a write has one key for the invocation, kept over its retries, or the given one', async () => {
  await using service = await startScript(refuse('unavailable'), json(201, { id }));
  const send = [
    'api',
    'create-article',
    '--title',
    'T',
    '--content',
    'x',
    '--url',
    service.baseUrl,
  ];
  assert.equal((await home.run(send)).code, 0);
  assert.equal((await home.run([...send, '--idempotency-key', 'my-own-key'])).code, 0);
  const [first, second, third] = service.seen.map(({ headers }) => headers['idempotency-key']);
  assert.ok(first !== undefined && first === second);
  assert.equal(third, 'my-own-key');
});

test('an answer of bytes goes into a file or a pipe, not into a terminal', async () => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0x1b]);
  await using service = await startScript((_, response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes),
  );
  const args = ['api', 'read-media-content', '--id', id, '--url', service.baseUrl];
  assert.equal((await home.run(args, { columns: 80 })).code, 2);
  assert.equal((await home.run([...args, '--output', 'x.jpg'], { columns: 80 })).code, 0);
});

test('Ctrl-C cancels the request in flight: exit code 130', async () => {
  const ending = new AbortController();
  await using service = await startScript(() => ending.abort(new Error('Interrupted.')));
  const args = ['api', 'read-me', '--url', service.baseUrl];
  const { code, out } = await home.run(args, { signal: ending.signal });
  assert.deepEqual([code, out], [130, '']);
});

test('Ctrl-C ends the reading of standard input at once; at a terminal, how to end it is said first', async () => {
  for (const isTTY of [true, false]) {
    const ending = new AbortController();
    const stdin = Object.assign(new PassThrough(), { isTTY });
    stdin.once('newListener', () => setImmediate(() => ending.abort(new Error('Interrupted.'))));
    const { code, err } = await home.run(['comment', id], { stdin, signal: ending.signal });
    assert.deepEqual([code, err], [130, isTTY ? 'Type the text, then press Ctrl-D.\n' : '']);
  }
});

test('after an unknown outcome, the failure says how to repeat the command, or to look first', async () => {
  await using service = await startScript(cut, cut, json(201, { id }), cut, cut);
  const last = ['--url', service.baseUrl, '--attempts', '1'];
  const comment = ['comment', id, 'I agree.', ...last];
  const lost = await home.run(comment);
  const sent = String(service.seen[0]?.headers['idempotency-key']);
  assert.ok(
    lost.err.includes(`Next: Repeat it with --idempotency-key ${sent}; it takes`),
    lost.err,
  );
  assert.doesNotMatch(lost.err, /look before/);
  const { idempotency_key } = JSON.parse((await home.run([...comment, '--json'])).err);
  await home.out([...comment, '--idempotency-key', idempotency_key]);
  assert.equal(service.seen[1]?.headers['idempotency-key'], idempotency_key);
  assert.equal(service.seen[2]?.headers['idempotency-key'], idempotency_key);
  const end = await home.run(['api', 'revoke-token', '--id', id, ...last]);
  assert.match(end.err, /Next: It is not known[^]*look before you repeat it/);
  assert.doesNotMatch(end.err, /Run the same command|Next: Repeat/);
  assert.match((await home.run(['api', 'read-me', ...last])).err, /Next: Check the address/);
});

test('Ctrl-C during a write says how to repeat it', async () => {
  const ending = new AbortController();
  await using service = await startScript(() => ending.abort(new Error('Interrupted.')));
  const args = ['comment', id, 'I agree.', '--url', service.baseUrl, '--json'];
  const { code, err } = await home.run(args, { signal: ending.signal });
  const { idempotency_key } = JSON.parse(err);
  assert.deepEqual([code, idempotency_key], [130, service.seen[0]?.headers['idempotency-key']]);
});
