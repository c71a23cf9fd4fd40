// What to do next about a problem: in commands, and about the token that was used.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { problemNames } from '../../contract/src/index.ts';
import { startServer } from '../../server/test/harness.ts';
import { adviceAbout } from '../src/advice.ts';
import { newInvocation } from '../src/invocation.ts';
import { asCommands } from '../src/output/as-commands.ts';
import { openHome } from './run-cli.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { baseUrl } = server;
const wrong = `${(await server.register()).token.slice(0, -4)}0000`;

test('a token that is not valid is named, with the place where a new one is made', async () => {
  const ada = await server.register();
  await using home = await openHome({});
  const url = ['--url', baseUrl];
  const made = `${baseUrl}/settings/tokens`;
  const next = async (args: readonly string[], options: object) => {
    const { code, err } = await home.run([...args], options);
    assert.equal(code, 11, err);
    const [, found = ''] = /\nNext: (.*)\n/.exec(err) ?? [];
    return found;
  };
  const none = await next(['whoami', ...url], { env: { COLOPHON_URL: baseUrl } });
  assert.match(none, /^Create an account with `colophon signup`, or store a token/);
  const env = { COLOPHON_URL: baseUrl, COLOPHON_TOKEN: wrong };
  const ofEnvironment = await next(['whoami'], { env });
  assert.match(ofEnvironment, /^The token in COLOPHON_TOKEN is not valid/);
  const given = await next(['profile', 'add', 'work', ...url], { input: wrong });
  assert.match(given, /^The token that you gave is not valid/);
  await home.run(['profile', 'add', 'work', ...url], { input: ada.token });
  const { items } = (await server.ask('GET', '/v1/tokens', { token: ada.token })).body;
  await server.ask('DELETE', `/v1/tokens/${items[0].id}`, { token: ada.token });
  const ofProfile = await next(['whoami', '--profile', 'work'], {});
  assert.match(ofProfile, /^The token of the profile "work" is no longer valid\./);
  assert.ok(ofProfile.endsWith(`colophon profile add work --url ${baseUrl}`), ofProfile);
  for (const words of [ofEnvironment, given, ofProfile]) {
    assert.ok(words.includes(made), words);
    assert.doesNotMatch(words, /signup/);
  }
});

test('the name of a file that begins with a hyphen is put behind --', async () => {
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: baseUrl, COLOPHON_TOKEN: ada.token });
  await writeFile(join(home.folder, '-dash.md'), '# A dash\n\nText.\n');
  for (const command of ['publish', 'draft', 'diff', 'upload', 'import']) {
    const { code, err } = await home.run([command, '-dash.md']);
    assert.equal(code, 2);
    assert.match(err, /\nNext: Put `--` before the name of a file that begins with a hyphen\.\n/);
  }
  const mistyped = await home.run(['publish', 'a.md', '--dry-rnu']);
  assert.doesNotMatch(mistyped.err, /Put `--`/);
  assert.match(await home.out(['publish', '--', '-dash.md']), /\/@/);
});

test('requests that the service names become commands', async () => {
  const id = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
  const expected: Readonly<Record<string, string>> = {
    'GET /v1/tokens lists yours.': '`colophon token list` lists yours.',
    'Read GET /v1/exports/01ABC until': 'Read `colophon api read-export --id 01ABC` until',
    'by DELETE /v1/tokens/{id}': 'by `colophon api revoke-token --id ID`',
    'GET /v1/nothing/of/this': 'GET /v1/nothing/of/this',
    'No request.': 'No request.',
  };
  for (const [text, words] of Object.entries(expected)) assert.equal(await asCommands(text), words);
  const ada = await server.register();
  await using home = await openHome({ COLOPHON_URL: baseUrl, COLOPHON_TOKEN: ada.token });
  const { err } = await home.run(['token', 'revoke', id]);
  assert.match(err, /You have no token with this id\. `colophon token list` lists yours\./);
});

test('no advice speaks of headers, members or requests', () => {
  for (const name of problemNames) {
    const error = { operation: 'readMe', problem: { name } };
    const advice = adviceAbout(error as never, newInvocation());
    assert.doesNotMatch(advice, /`detail`|\/v1\/|Idempotency-Key|If-Match|Authorization/, name);
  }
});
