// A token that nobody has received is revoked, and named where that fails too.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { cut, json, startScript, text } from '../../sdk/test/scripted-server.ts';
import type { Turn } from '../../sdk/test/scripted-server.ts';
import { runProgram } from '../src/program.ts';
import { openHome } from './run-cli.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const me = json(200, { principal: { id, username: 'ada' }, id, username: 'ada' });
const issued = json(201, { id, token: 'secret', scopes: [], expires_at: null });
const noContent: Turn = (_, response) => response.writeHead(204).end();
const broken = text(500, 'no');
const left = `The token ${id} could not be revoked and is still valid.\nNext: colophon token revoke ${id}\n`;
const revoked = 'The token was revoked.\nNext: Issue another one, with another key.\n';

/** Issues a token into an output that does not take it. */
async function issueInto(write: (ending: AbortController, fail: () => void) => void, last: Turn) {
  await using service = await startScript(me, issued, last);
  await using home = await openHome({ COLOPHON_URL: service.baseUrl, COLOPHON_TOKEN: 'a-token' });
  const ending = new AbortController();
  const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
  const output = new Writable({ write: (_, __, next) => write(ending, () => next(full)) });
  output.on('error', () => {});
  const errors = new PassThrough();
  const code = await runProgram(['token', 'issue', '--name', 'lost', '--attempts', '1'], {
    env: home.env,
    folder: home.folder,
    input: Readable.from([]),
    output,
    errors,
    signal: ending.signal,
  });
  errors.end();
  const err = Buffer.concat(await errors.toArray()).toString();
  return { code, err, last: service.seen.at(-1)?.method };
}

test('on a full disk, and after Ctrl-C, the token is revoked; the failure says what is left', async () => {
  for (const [last, outcome] of [
    [noContent, revoked],
    [broken, left],
  ] as const) {
    const full = await issueInto((_, fail) => fail(), last);
    assert.deepEqual([full.code, full.last], [1, 'DELETE'], full.err);
    assert.ok(full.err.includes(`Cannot write the output: the disk is full. ${outcome}`), full.err);
    // The output neither takes the token nor fails.
    const ended = await issueInto((ending) => ending.abort(new Error('Interrupted.')), last);
    assert.deepEqual([ended.code, ended.last], [130, 'DELETE'], ended.err);
    assert.ok(ended.err.includes(`colophon: Interrupted. ${outcome}`), ended.err);
  }
});

test('a token whose profile cannot be stored after all is revoked, or named', async () => {
  for (const [last, outcome] of [
    [noContent, revoked],
    [broken, left],
  ] as const) {
    await using home = await openHome();
    const file = join(home.folder, 'config/colophon/profiles/ci.json');
    // The place is free when it is checked, and taken when the token arrives.
    const taken: Turn = (request, response) => {
      mkdirSync(file, { recursive: true });
      issued(request, response);
    };
    await using service = await startScript(me, me, taken, last);
    const env = { COLOPHON_URL: service.baseUrl, COLOPHON_TOKEN: 'a-token' };
    const words = ['token', 'issue', '--name', 'ci', '--store', 'ci', '--attempts', '1'];
    const { code, err } = await home.run(words, { env });
    assert.deepEqual([code, service.seen.at(-1)?.method], [1, 'DELETE'], err);
    assert.ok(err.includes(`Cannot use ${file}: it is a folder. ${outcome}`), err);
  }
});

test('the only token of a new account is printed, if its profile cannot be stored after all', async () => {
  await using home = await openHome();
  const file = join(home.folder, 'config/colophon/profiles/ada.json');
  const registered = json(201, { id, username: 'ada', token: 'the-only-one', scopes: [] });
  await using service = await startScript((request, response) => {
    mkdirSync(file, { recursive: true });
    registered(request, response);
  });
  const { code, err } = await home.run(['signup', 'ada', '--url', service.baseUrl]);
  assert.equal(code, 1, err);
  assert.ok(err.includes(`Cannot use ${file}: it is a folder. The account was created.`), err);
  assert.ok(err.includes('shown only now: the-only-one\n'), err);
  assert.ok(err.includes(`colophon profile add ada --url ${service.baseUrl}\n`), err);
});

test('a token whose secret was lost on the way is named, if it cannot be revoked', async () => {
  await using home = await openHome();
  const replayed = json(201, { id, token: null, scopes: [], expires_at: null });
  await using service = await startScript(me, cut, replayed, broken);
  const env = { COLOPHON_URL: service.baseUrl, COLOPHON_TOKEN: 'a-token' };
  const words = ['token', 'issue', '--name', 'ci', '--attempts', '2'];
  const { code, err } = await home.run(words, { env });
  assert.deepEqual([code, service.seen.at(-1)?.method], [1, 'DELETE'], err);
  assert.ok(err.includes(`The response with the secret was lost. ${left}`), err);
});
