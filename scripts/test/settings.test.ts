// The settings of the user who runs the tests: each of the documented ones is forgotten.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { forgetSettings } from './settings.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/running.md'), 'utf8');

/** The names in the first column of the table of settings. */
function documentedSettings(): string[] {
  const rows = page.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  return rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z_]*)`/g), ([, name = '']) => name),
  );
}

const ofShell = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_MESSAGES', 'NODE_OPTIONS', 'NODE_USE_ENV_PROXY'];

test('the settings of the service and of the shell are forgotten, and no other variable is', () => {
  const names = documentedSettings();
  assert.ok(names.length > 25, names.join());
  const kept = { PATH: '/bin', HOME: '/root', CI: 'true', TMPDIR: '/tmp', TZ: 'Asia/Kathmandu' };
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries([...names, ...ofShell].map((name) => [name, 'x'])),
    ...kept,
  };
  forgetSettings(env);
  assert.deepEqual(env, kept);
});
