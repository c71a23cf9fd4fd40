// The switches of the tool host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, readSwitches, usage } from '../src/settings.ts';

test('switches of HTTP are refused without --http: the program would wait for standard input', () => {
  for (const [name, value] of [
    ['port', '8091'],
    ['host', '127.0.0.1'],
    ['allow-host', 'tools.example'],
    ['allow-origin', 'pages.example'],
  ] as const) {
    assert.throws(() => readSettings([`--${name}`, value], {}), {
      message: `--${name} needs --http: without it, the tools are served over stdio.`,
    });
    assert.ok(readSettings(['--http', `--${name}`, value], {}).http);
  }
});

test('help and version have the letters of the command line, and the help names them', () => {
  assert.equal(readSwitches(['-h']).help, true);
  assert.equal(readSwitches(['-V']).version, true);
  assert.match(usage, /\n {2}-h, --help .*\n {2}-V, --version /);
});
