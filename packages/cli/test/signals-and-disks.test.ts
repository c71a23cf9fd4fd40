// What only a process of its own shows: signals, a full disk, and words that are not UTF-8.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startScript } from '../../sdk/test/scripted-server.ts';
import { freshName, startServer } from '../../server/test/harness.ts';
import { until } from '../../server/test/throw-away-database.ts';
import { openHome } from './run-cli.ts';
import type { Home } from './run-cli.ts';

const program = join(import.meta.dirname, '../src/main.ts');
const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';

/** Files of 0 bytes can be created, as on a full disk; the first byte cannot be written. */
const full = 'ulimit -f 0; exec "$@"';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

/**
 * Starts the program from a script of the shell, which gets the words of its command line as `$@`. Shells count the
 * limit of files in different units; this one in KiB.
 */
function start(home: Home, words: readonly string[], script = 'exec "$@"') {
  const env = { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...home.env };
  const args = ['-c', script, 'bash', process.execPath, program, ...words];
  const child = spawn('bash', args, { env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = async () => {
    const [out, err, [code, signal]] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close'),
    ]);
    const text = (parts: Buffer[]) => Buffer.concat(parts).toString();
    return { code, signal, out: text(out), err: text(err) };
  };
  return { child, ended: ended() };
}

test('a write that SIGTERM ends names its key, and the process ends by the signal', async () => {
  const received = Promise.withResolvers<void>();
  await using service = await startScript(() => received.resolve());
  await using home = await openHome({ COLOPHON_URL: service.baseUrl, COLOPHON_TOKEN: 'a-token' });
  const { child, ended } = start(home, ['comment', id, 'I agree.']);
  await received.promise;
  child.kill('SIGTERM');
  const { code, signal, err } = await ended;
  assert.deepEqual([code, signal], [null, 'SIGTERM'], err);
  const key = service.seen[0]?.headers['idempotency-key'];
  assert.match(
    err,
    /^colophon: Interrupted\.\nNext: Repeat it with --idempotency-key \S+; it takes/,
  );
  assert.ok(err.includes(String(key)), err);
});

test('on a full disk, nobody signs up and no token is issued for a profile', async () => {
  const ada = await server.register();
  await using home = await openHome();
  const username = freshName();
  const words = ['signup', username, '--url', server.baseUrl];
  const refused = await start(home, words, full).ended;
  assert.equal(refused.code, 1, refused.err);
  assert.match(
    refused.err,
    /^colophon: Cannot store a token\. Cannot use \S+\.probe: it would be larger than [^\n]+\.\nNext: /,
  );
  const found = await server.ask('GET', `/v1/principals/by-username/${username}`);
  assert.equal(found.status, 404);
  await using own = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  const before = await own.out('token list --json');
  const issue = ['token', 'issue', '--name', 'ci', '--store', 'ci'];
  assert.equal((await start(own, issue, full).ended).code, 1);
  assert.equal(await own.out('token list --json'), before);
});

test('a file that a full disk does not take is not left in part', async () => {
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  const content = 'B\n'.repeat(1000);
  const draft = ['api', 'create-article', '--title', 'A', '--content', content];
  const { id: article } = await home.json(draft);
  // Half of the text.
  const pull = start(home, ['pull', article, 'a.md'], 'ulimit -f 1; exec "$@"');
  const { code, err } = await pull.ended;
  assert.equal(code, 1, err);
  assert.match(err, /^colophon: Cannot write a\.md: .*\nNext: /);
  assert.deepEqual(await readdir(home.folder), []);
});

test('an export that a full disk does not take fails at once, and names the file', async () => {
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  const { code, err } = await start(home, ['export', 'a.zip', '--json'], full).ended;
  assert.equal(code, 1, err);
  const { error, next } = JSON.parse(err);
  assert.match(error, /^Cannot write \S+\.part: it would be larger than a file may be\.$/);
  assert.equal(next, 'Name another place.');
});

test('evidence that a full disk does not take leaves the former evidence, and names the file', async () => {
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  const { principal_id: scribe } = await home.json(`agent create ${freshName()} --store scribe`);
  await home.out('key create laptop');
  await home.out(`key register laptop --agent ${scribe}`);
  const manuscript = join(home.folder, 'a.md');
  await writeFile(manuscript, '# Signed\n\nText.\n');
  const { id: article } = await home.json('publish a.md --sign laptop --profile scribe');
  const words = ['verify', article, '--save', 'kept'];
  await home.out(words);
  const evidence = async () => {
    const files = (await readdir(join(home.folder, 'kept'))).toSorted();
    assert.deepEqual(files, ['proof.json', 'revision.json', 'trusted.json']);
    return Promise.all(files.map((file) => readFile(join(home.folder, 'kept', file), 'utf8')));
  };
  const before = await evidence();
  await writeFile(manuscript, `${await readFile(manuscript, 'utf8')}${'More. '.repeat(4_000)}\n`);
  await home.out('publish a.md --sign laptop --profile scribe');
  // Room for the new proof, and not for the new text.
  for (const [limit, file] of [
    ['8', 'revision'],
    ['0', 'proof'],
  ] as const) {
    const { code, err } = await start(home, words, `ulimit -f ${limit}; exec "$@"`).ended;
    assert.equal(code, 1, err);
    const said = `^colophon: Cannot write kept/${file}\\.json: it would be [^\n]+\\.\nNext: `;
    assert.match(err, new RegExp(said));
    assert.deepEqual(await evidence(), before);
  }
});

test('a mirror and a record of imports that a full disk does not take name their file', async () => {
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  for (let count = 0; count < 6; count += 1) await server.published(ada);
  await until('the log has leaves', async () => (await home.json('log checkpoint')).size >= 6);
  // Room for what is remembered of the log, and not for these leaves.
  const words = ['log', 'audit', '--folder', 'mirror'];
  const audit = await start(home, words, 'ulimit -f 1; exec "$@"').ended;
  assert.equal(audit.code, 1, audit.err);
  assert.match(audit.err, /^colophon: Cannot write \S+\/mirror\/tile\/\S+: [^\n]+\.\nNext: /);
  assert.doesNotMatch(
    (await readdir(join(home.folder, 'mirror'), { recursive: true })).join('\n'),
    /\.part$/m,
  );
  await mkdir(join(home.folder, 'notes'));
  await writeFile(join(home.folder, 'notes', 'a.md'), '---\ndate: 2020-01-31\n---\n# A\n\nText.\n');
  const refused = await start(home, ['import', 'notes'], full).ended;
  assert.equal(refused.code, 1, refused.err);
  assert.match(refused.err, /^colophon: Cannot use \S+\/imports\/\S+\.jsonl: [^\n]+\.\nNext: /);
  assert.match(await home.out('import notes'), /^Imported 1 article /);
});

test(
  'a full disk is made room on, or another place is named',
  { skip: !existsSync('/dev/full') },
  async () => {
    const ada = await server.register();
    await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
    const { id } = await home.json('export a.zip');
    const { code, err } = await home.run(`api read-export-content --id ${id} --output /dev/full`);
    assert.equal(code, 1, err);
    assert.match(
      err,
      /the disk is full\.\nNext: Make room and run the same command again, or name/,
    );
  },
);

test(
  'a token that cannot be printed is revoked: it would be valid, and known to nobody',
  { skip: !existsSync('/dev/full') },
  async () => {
    const ada = await server.register();
    await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
    const issue = ['token', 'issue', '--name', 'lost'];
    const { code, err } = await start(home, issue, 'exec "$@" > /dev/full').ended;
    assert.equal(code, 1, err);
    assert.match(err, /the disk is full\. The token was revoked\.\nNext: Issue another one/);
    const [lost] = (await home.out('token list --json')).trim().split('\n');
    const { name, revoked_at } = JSON.parse(lost ?? '');
    assert.deepEqual([name, typeof revoked_at], ['lost', 'string']);
  },
);

test(
  'a text that is not UTF-8 is refused as a word, and one that contains U+FFFD itself is sent',
  { skip: !existsSync('/proc/self/cmdline') },
  async () => {
    const ada = await server.register();
    await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
    const draft = ['api', 'create-article', '--json', '--title', 'A', '--content'];
    const latin = String.raw`exec "$@" "$(printf 'caf\351')"`;
    const refused = await start(home, draft, latin).ended;
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, /"An argument is not UTF-8\."/);
    const own = await start(home, [...draft, 'caf\ufffd']).ended;
    assert.equal(own.code, 0, own.err);
    const { content } = await home.json(['read', JSON.parse(own.out).id]);
    assert.equal(content, 'caf\ufffd');
  },
);
