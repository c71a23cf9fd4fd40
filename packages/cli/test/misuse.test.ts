// Command lines that cannot work: each failure says what to do next, in words and as JSON.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cut, startScript } from '../../sdk/test/scripted-server.ts';
import { commandList } from '../src/command-list.ts';
import { openHome } from './run-cli.ts';
import type { Home } from './run-cli.ts';

let home: Home;
before(async () => {
  home = await openHome();
});
after(() => home[Symbol.asyncDispose]());

test('each command without arguments, or with an option that it has not, exits with 2 and says what to do', async () => {
  for (const { name } of commandList)
    for (const line of [name, `${name} --no-such-option`]) {
      const { code, out, err } = await home.run(line);
      assert.deepEqual([code, out], [2, ''], `${line}: ${err}`);
      assert.match(err, /\nNext: .{10}|^Usage: colophon /, line);
      const { error, next, exit_code } = JSON.parse((await home.run(`${line} --json`)).err);
      assert.equal(exit_code, 2, line);
      assert.ok(error.length > 10 && next.length > 10, `${line}: ${error} ${next}`);
    }
});

test('a refused option of a command within another one leads to the help that has it', async () => {
  for (const [line, command] of [
    ['token issue --expires tomorrow', 'token issue'],
    ['token --profile ada issue --no-such-option', 'token issue'],
    ['api read-article --id', 'api read-article'],
    ['agent create', 'agent create'],
    ['token no-such-command', 'token'],
  ] as const) {
    const { code, err } = await home.run(line);
    assert.equal(code, 2, line);
    assert.ok(err.endsWith(`\nNext: \`colophon ${command} --help\` shows what it takes.\n`), err);
  }
});

test('follow --list takes no other words: it lists whom you follow, and not whom they follow', async () => {
  for (const line of ['follow ada --list', 'follow --list --stop'])
    assert.deepEqual(
      await home.run(line).then(({ code, out, err }) => [code, out, err.split('\n')[0]]),
      [2, '', 'colophon: --list takes no username and no --stop.'],
      line,
    );
});

test('each command has a help with an example or its commands', async () => {
  for (const { name } of commandList) {
    const { code, out, err } = await home.run(`${name} --help`);
    assert.deepEqual([code, err], [0, ''], name);
    assert.match(out, /\n {2}\$ colophon |\nCommands:|\nExamples?:/, name);
  }
});

test('a service that is not reached: 28, with what to do next also as JSON', async () => {
  const gone = await startScript(cut);
  await gone[Symbol.asyncDispose]();
  for (const line of ['feed', 'whoami', 'events', 'search owls']) {
    const asked = `--url ${gone.baseUrl} --attempts 1 ${line}`;
    const shown = await home.run(asked);
    const { exit_code, next } = JSON.parse((await home.run(`${asked} --json`)).err);
    assert.deepEqual([shown.code, exit_code], [28, 28], line);
    assert.ok(shown.err.includes(`\nNext: ${next}\n`), `${shown.err} ${next}`);
  }
});
