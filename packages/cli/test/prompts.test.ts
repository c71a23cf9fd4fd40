// The prompt for a token: typed, cancelled, and ended.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { json, startScript } from '../../sdk/test/scripted-server.ts';
import { openHome } from './run-cli.ts';

const add = 'profile add work --url';

function keyboard() {
  return Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
}

for (const [name, act] of [
  ['Ctrl-C', (keys: PassThrough) => keys.write('\u0003')],
  ['Ctrl-D', (keys: PassThrough) => keys.write('\u0004')],
  ['the end of the input', (keys: PassThrough) => keys.end()],
] as const) {
  test(`${name} cancels the prompt`, { timeout: 300_000 }, async () => {
    await using home = await openHome();
    const keys = keyboard();
    const run = home.run(`${add} http://127.0.0.1:9`, { stdin: keys, errorsAreShown: true });
    while (keys.listenerCount('keypress') < 2) await sleep(10);
    act(keys);
    const { code, err } = await run;
    assert.equal(code, 130);
    assert.match(err, /Cancelled\./);
    assert.equal(keys.listenerCount('end'), 0);
  });
}

test('a typed token is stored', { timeout: 300_000 }, async () => {
  await using home = await openHome();
  const principal = { id: '01J8ZQ4Y7D3M5N6P8R9S0T1V2W', username: 'ada' };
  await using service = await startScript(json(200, { principal }));
  const keys = keyboard();
  const run = home.run(`${add} ${service.baseUrl}`, { stdin: keys });
  while (keys.listenerCount('keypress') < 2) await sleep(10);
  keys.write('secret\r');
  assert.equal((await run).code, 0);
  assert.equal(service.seen[0]?.headers.authorization, 'Bearer secret');
});
