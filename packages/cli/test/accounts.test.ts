// Accounts: sign-up, profiles, tokens in private files, and which token goes to which service.
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { after, test } from 'node:test';
import { json, refuse, startScript } from '../../sdk/test/scripted-server.ts';
import { freshName, startServer } from '../../server/test/harness.ts';
import { configFolder, stateFolder } from '../src/profiles/profiles.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

test('a username that is taken is answered with what to do', async () => {
  await using home = await openHome();
  const username = freshName();
  await home.out(['signup', username, '--url', server.baseUrl]);
  const again = ['signup', username, '--url', server.baseUrl, '--profile', 'again'];
  const { code, err } = await home.run(again);
  assert.equal(code, 15);
  assert.match(err, /\nNext: Choose another username, and run the command with it\.\n/);
});

test('sign-up stores the token in a private file and never prints it', async () => {
  await using home = await openHome();
  const username = freshName();
  const { code, out, err } = await home.run(['signup', username, '--url', server.baseUrl]);
  assert.equal(code, 0, err);
  const folder = join(home.folder, 'config/colophon/profiles');
  const file = join(folder, `${username}.json`);
  const { token } = JSON.parse(await readFile(file, 'utf8'));
  assert.ok(token.length > 20);
  assert.ok(!(out + err).includes(token));
  assert.equal(await modeOf(file), 0o600);
  assert.equal(await modeOf(folder), 0o700);
  const me = await home.json('whoami');
  assert.equal(me.principal.username, username);
  assert.equal(me.profile, username);
});

test('tokens are never stored in the folder that the program runs in', () => {
  for (const unset of ['', 'relative']) {
    const none = { HOME: unset, XDG_CONFIG_HOME: unset, XDG_STATE_HOME: unset };
    for (const folder of [configFolder(none), stateFolder(none)]) assert.ok(isAbsolute(folder));
    const home = { ...none, HOME: '/home/ada' };
    assert.equal(configFolder(home), '/home/ada/.config/colophon');
    assert.equal(stateFolder(home), '/home/ada/.local/state/colophon');
  }
});

test('an address with a password is refused without showing it', async () => {
  for (const url of ['http://ada:a-password@a.example', 'http://ada:a password@a.example']) {
    await using home = await openHome({ COLOPHON_URL: url });
    const { code, err } = await home.run('feed');
    assert.equal(code, 2);
    assert.match(err, /address of the service contains an @.*\nNext: Give the address/);
    assert.ok(!err.includes('password'), err);
  }
});

test('a profile that exists is not replaced by a sign-up', async () => {
  await using home = await openHome();
  const username = freshName();
  await home.out(['signup', username, '--url', server.baseUrl, '--profile', 'mine']);
  const before = await readFile(join(home.folder, 'config/colophon/profiles/mine.json'));
  const again = ['signup', freshName(), '--url', server.baseUrl, '--profile', 'mine'];
  const { code, err } = await home.run(again);
  assert.equal(code, 2);
  assert.match(err, /Next: Choose another name/);
  assert.deepEqual(await readFile(join(home.folder, 'config/colophon/profiles/mine.json')), before);
});

test('a folder that cannot be written is found out before the account exists', async () => {
  await using home = await openHome();
  await using service = await startScript(json(201, {}));
  await writeFile(join(home.folder, 'config'), 'a file where the folder should be');
  // Below /proc, the kernel lets nothing be created.
  for (const XDG_CONFIG_HOME of [join(home.folder, 'config'), '/proc/colophon']) {
    const env = { XDG_CONFIG_HOME };
    const { code, err } = await home.run(['signup', 'ada', '--url', service.baseUrl], { env });
    assert.equal(code, 1);
    assert.match(err, /Cannot store a token[^]*XDG_CONFIG_HOME/);
  }
  assert.equal(service.seen.length, 0);
});

test('a username that cannot name a profile is refused as a username', async () => {
  await using home = await openHome();
  const env = { COLOPHON_URL: ` ${server.baseUrl}\n` };
  const { code, err } = await home.run(['signup', 'a b'], { env });
  assert.equal(code, 2);
  assert.match(err, /^colophon: "a b" cannot be the name of its profile too\.\nNext: A user/);
  const named = await home.run(['signup', 'a b', '--profile', 'work'], { env });
  assert.match(named.err, /username/);
  await home.out(['signup', freshName()], { env });
});

test('what cannot be used in the folder of settings is named in words', async () => {
  await using home = await openHome();
  const settings = join(home.folder, 'config/colophon');
  const signUp = ['signup', 'ada', '--url', server.baseUrl];
  const isFolder = async (words: readonly string[], name: string) => {
    const { code, err } = await home.run(words);
    const said = `Cannot use ${join(settings, name)}: it is a folder.\nNext: `;
    assert.deepEqual([code, err.includes(said), err.includes('EISDIR')], [1, true, false], err);
  };
  await mkdir(join(settings, 'profiles/.probe'), { recursive: true });
  await isFolder(signUp, 'profiles/.probe');
  await mkdir(join(settings, 'current-profile'));
  await isFolder(['whoami'], 'current-profile');
  await rm(join(settings, 'profiles'), { recursive: true });
  await writeFile(join(settings, 'profiles'), '');
  const { err } = await home.run(signUp);
  assert.match(err, /Cannot use \S+profiles: something else has this name\.\nNext: /);
});

test('a password in an address is printed by no refusal', async () => {
  await using home = await openHome();
  const secret = 'http://:geheim@127.0.0.1:1';
  const article = 'https://example.org/01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
  await home.out(['signup', freshName(), '--url', server.baseUrl, '--profile', 'mine']);
  for (const words of [
    ['feed', '--url', secret],
    ['read', article, '--url', secret],
    ['whoami', '--profile', 'mine', '--url', secret],
    ['log', 'audit', secret.replace('http', 'ftp')],
  ]) {
    const { code, out, err } = await home.run(words);
    assert.deepEqual([code, (out + err).includes('geheim')], [2, false], out + err);
  }
});

test('profiles are added from standard input, listed, selected and removed', async () => {
  await using home = await openHome();
  const [ada, ben] = [await server.register(), await server.register()];
  for (const { username, token } of [ada, ben]) {
    const add = ['profile', 'add', username, '--url', server.baseUrl];
    const said = await home.run(add, { input: `${token}\n` });
    assert.equal(said.code, 0, said.err);
    assert.ok(!(said.out + said.err).includes(token));
  }
  const rows = (await home.out('profile list --json')).trim().split('\n');
  assert.deepEqual(
    rows.map((row) => JSON.parse(row).current),
    [ada, ben]
      .toSorted((one, other) => (one.username < other.username ? -1 : 1))
      .map((one) => one === ada),
  );
  assert.ok(rows.every((row) => !row.includes(ada.token) && !row.includes(ben.token)));
  assert.equal((await home.json(['whoami', '--profile', ben.username])).principal.id, ben.id);
  await home.out(['profile', 'use', ben.username]);
  assert.equal((await home.json('whoami')).principal.id, ben.id);
  await home.out(['profile', 'remove', ben.username]);
  const { code, err } = await home.run('whoami');
  assert.equal(code, 2);
  assert.match(err, /No service is set/);
});

test('a profile is replaced only by a token of the same account', async () => {
  await using home = await openHome();
  const [ada, ben] = [await server.register(), await server.register()];
  const add = ['profile', 'add', 'mine', '--url', server.baseUrl];
  await home.out(add, { input: ada.token });
  const file = join(home.folder, 'config/colophon/profiles/mine.json');
  const before = await readFile(file, 'utf8');
  const refused = await home.run(add, { input: ben.token });
  assert.equal(refused.code, 2);
  assert.match(refused.err, /"mine" exists and belongs to another account[^]*Next: Choose another/);
  assert.equal(await readFile(file, 'utf8'), before);
  const newer = await home.json('token issue --name newer');
  await home.out([...add.slice(0, -1), `${server.baseUrl}/`], { input: newer.token });
  assert.equal(JSON.parse(await readFile(file, 'utf8')).token, newer.token);
  // Another service may claim the same id.
  await using other = await startScript(json(200, { principal: ada }));
  const elsewhere = [...add.slice(0, -1), other.baseUrl];
  assert.equal((await home.run(elsewhere, { input: ben.token })).code, 2);
  await writeFile(file, '{"token":');
  const damaged = await home.run(add, { input: ada.token });
  assert.match(damaged.err, /Next: Remove it \(colophon profile remove mine\), then add it/);
  await home.out('profile remove mine');
  await home.out(add, { input: ada.token });
});

test('the environment replaces profiles, with address and token together', async () => {
  await using home = await openHome();
  const ada = await server.register();
  const env = { COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token };
  assert.equal((await home.json('whoami', { env })).principal.id, ada.id);
  const { code, err } = await home.run('whoami', { env: { COLOPHON_TOKEN: ada.token } });
  assert.equal(code, 2);
  assert.match(err, /without the address/);
  assert.ok(!err.includes(ada.token));
});

test('the token of a profile is not sent to another service', async () => {
  await using home = await openHome();
  await home.out(['signup', freshName(), '--url', server.baseUrl]);
  await using stranger = await startScript(refuse('unauthenticated'));
  const { code } = await home.run(['whoami', '--url', stranger.baseUrl]);
  assert.equal(code, 11);
  assert.equal(stranger.seen[0]?.headers.authorization, undefined);
  assert.equal((await home.run(['whoami', '--url', `${server.baseUrl}/`])).code, 0);
});

test('COLOPHON_TOKEN is sent only to COLOPHON_URL', async () => {
  await using home = await openHome();
  await using stranger = await startScript(refuse('unauthenticated'));
  const { token } = await server.register();
  const env = { COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: token };
  assert.equal((await home.run(['whoami', '--url', stranger.baseUrl], { env })).code, 11);
  const alone = { COLOPHON_TOKEN: token };
  assert.equal((await home.run(['whoami', '--url', stranger.baseUrl], { env: alone })).code, 2);
  assert.deepEqual(
    stranger.seen.map(({ headers }) => headers.authorization),
    [undefined],
  );
  assert.equal((await home.run(['whoami', '--url', `${server.baseUrl}/`], { env })).code, 0);
});

test('a profile and the address of another service are refused together', async () => {
  await using home = await openHome();
  await using stranger = await startScript(refuse('unauthenticated'));
  await home.out(['signup', freshName(), '--url', server.baseUrl, '--profile', 'work']);
  const mixed = await home.run(['whoami', '--profile', 'work', '--url', stranger.baseUrl]);
  assert.equal(mixed.code, 2);
  assert.match(mixed.err, /"work" belongs to http[^]*Next: Leave out/);
  assert.equal(stranger.seen.length, 0);
  await home.out(['whoami', '--profile', 'work', '--url', `${server.baseUrl}/`]);
});

test('a token with other text around it is refused with its place, and line ends around it are left out', async () => {
  const { token } = await server.register();
  await using home = await openHome();
  const env = (value: string) => ({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: value });
  for (const value of [`${token}\n`, `  ${token} `])
    assert.equal((await home.run('whoami', { env: env(value) })).code, 0);
  await home.out(`profile add stored --url ${server.baseUrl}`, { input: token });
  const file = join(home.folder, 'config/colophon/profiles/stored.json');
  const stored = await readFile(file, 'utf8');
  const faults = [
    [`Bearer ${token}`, 'begins with “Bearer”'],
    [`Authorization: bearer ${token}`, 'begins with “Bearer”'],
    [`'${token}'`, 'stands in quotes'],
    [`${token}\n${token}`, 'contains spaces or line ends'],
    [`${token}…`, 'contains characters that no token has'],
  ] as const;
  for (const [value, fault] of faults) {
    const set = await home.run('whoami', { env: env(value) });
    const given = await home.run(`profile add x --url ${server.baseUrl}`, { input: value });
    await writeFile(file, JSON.stringify({ ...JSON.parse(stored), token: value }));
    const kept = await home.run('whoami --profile stored');
    for (const [{ code, err }, place, next] of [
      [set, 'in COLOPHON_TOKEN', 'Set COLOPHON_TOKEN to the token alone'],
      [given, 'that you gave', 'Give the token alone'],
      [kept, 'of the profile "stored"', 'Store the token alone: colophon profile add stored --url'],
    ] as const) {
      assert.equal(code, 2, err);
      assert.ok(err.startsWith(`colophon: The token ${place} ${fault}.\nNext: ${next}`), err);
      assert.ok(!err.includes(token), err);
    }
  }
});

test('COLOPHON_PROFILE is refused together with COLOPHON_URL or COLOPHON_TOKEN', async () => {
  await using home = await openHome();
  await home.out(['signup', freshName(), '--url', server.baseUrl, '--profile', 'work']);
  for (const name of ['COLOPHON_URL', 'COLOPHON_TOKEN']) {
    const env = { COLOPHON_PROFILE: 'work', [name]: server.baseUrl };
    const { code, err } = await home.run('whoami', { env });
    assert.deepEqual([code, /Set either COLOPHON_PROFILE/.test(err)], [2, true], err);
    assert.equal((await home.run('whoami --profile work', { env })).code, 0);
  }
  const env = { COLOPHON_PROFILE: 'work' };
  assert.equal((await home.json(['whoami', '--url', server.baseUrl], { env })).profile, 'work');
});

test('a profile that others can read is closed to them before it is used', async () => {
  await using home = await openHome();
  await home.out(['signup', freshName(), '--url', server.baseUrl, '--profile', 'open']);
  const file = join(home.folder, 'config/colophon/profiles/open.json');
  await chmod(file, 0o644);
  await home.out('whoami');
  assert.equal(await modeOf(file), 0o600);
});

test('a token is not issued if its profile cannot be stored', async () => {
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: server.baseUrl, COLOPHON_TOKEN: ada.token });
  const list = async (what: string) => (await home.out(`${what} list --json`)).trim();
  const before = [await list('token'), await list('agent')];
  await writeFile(join(home.folder, 'config'), 'a file where the folder should be');
  for (const command of ['token issue --name ci', `agent create ${freshName()}`]) {
    const { code, err } = await home.run(`${command} --store ci`);
    assert.deepEqual([code, /Cannot store a token/.test(err)], [1, true], err);
  }
  assert.deepEqual([await list('token'), await list('agent')], before);
});
