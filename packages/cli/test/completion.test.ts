// Completion: what follows the words of a command line, in the program and in the shells that this machine has.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { operationList } from '@colophon/contract';
import { kebab } from '../src/api/members.ts';
import { commandList } from '../src/command-list.ts';
import { compileCache } from '../../server/test/compile-cache.ts';
import { openHome } from './run-cli.ts';

const run = promisify(execFile);
const home = await openHome();
after(() => home[Symbol.asyncDispose]());

/** The values that complete the last word. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const out = await home.out(['complete', '--', ...words]);
  return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

test('commands, options, values and files are completed where they fit', async () => {
  assert.deepEqual(
    await complete(''),
    commandList.map(({ name }) => name),
  );
  assert.deepEqual(await complete('pub'), ['publish']);
  assert.deepEqual(await complete('--profile', 'x', 'tok'), ['token']);
  assert.deepEqual(await complete('token', ''), ['issue', 'list', 'revoke']);
  assert.deepEqual(await complete('token', 'issue', '--na'), ['--name']);
  assert.ok((await complete('read', '--')).includes('--json'));
  assert.deepEqual(await complete('read', '--raw', '--ra'), []);
  assert.deepEqual(await complete('comment', 'X', 'text', '--stance', 's'), [
    'supports',
    'summarizes',
  ]);
  assert.deepEqual(await complete('edge', 'X', 'cit'), ['cites']);
  assert.deepEqual(await complete('publish', ''), [':files']);
  assert.deepEqual(await complete('comment', ''), []);
  assert.deepEqual(await complete('completion', ''), ['bash', 'zsh', 'fish']);
});

test('every operation and every closed list of values is completed', async () => {
  const names = operationList.map(({ name }) => kebab(name));
  assert.deepEqual(await complete('api', ''), names);
  const scopes = ['api', 'issue-token', '--scopes', 'articles:read', 'articles:'];
  assert.deepEqual(await complete(...scopes), [
    'articles:read',
    'articles:write',
    'articles:publish',
    'articles:delete',
  ]);
  assert.deepEqual(await complete('api', 'create-article', '--visibility', ''), [
    'public',
    'unlisted',
    'private',
  ]);
  assert.deepEqual(await complete('api', 'create-comment', '--dry-run', 't'), ['true']);
});

test('names of profiles and keys come from this computer', async () => {
  const folder = join(home.folder, 'config/colophon/profiles');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'work.json'), '{}');
  await home.out('key create laptop');
  assert.deepEqual(await complete('feed', '--profile', ''), ['work']);
  assert.deepEqual(await complete('publish', 'x.md', '--sign', ''), ['laptop']);
});

const shellOf = (name: string) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((place) => join(place, name))
    .find((file) => existsSync(file));

/** A folder with the command, for scripts that call it by its name. */
async function commandFolder(): Promise<string> {
  const folder = join(home.folder, 'bin');
  await mkdir(folder, { recursive: true });
  const main = join(import.meta.dirname, '../src/main.ts');
  const file = join(folder, 'colophon');
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  await chmod(file, 0o755);
  await writeFile(join(home.folder, 'essay.md'), '');
  return folder;
}

/** For each shell, a program that prints what completes a line: one value on each line. */
const programs: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) => `
    source ./script; source ./script
    compopt() { compgen -f -- es; }
    COMP_LINE='${line}' COMP_POINT=${line.length}
    _colophon; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: () => `
    compdef() { :; }
    _describe() { print -l \${(P)2%%:*}; }
    _files() { print -l es*(N); }
    source ./script
    words=(\${(s: :)LINE}); [[ $LINE == *' ' ]] && words+=('')
    CURRENT=$#words; _colophon`,
  fish: (line) => `
    source ./script
    complete -C '${line}' | string replace -r '\\t.*' ''; true`,
};

for (const [name, program] of Object.entries(programs)) {
  // Bash is on every machine that runs these tests; the others are tested where they are installed.
  test(`completion in ${name}`, async (context) => {
    const shell = shellOf(name);
    if (shell === undefined && name !== 'bash') {
      context.diagnostic(`${name} is not installed: nothing was tested`);
      return;
    }
    const env = {
      ...home.env,
      ...compileCache,
      PATH: `${await commandFolder()}${delimiter}${process.env['PATH'] ?? ''}`,
    };
    await writeFile(join(home.folder, 'script'), await home.out(['completion', name]));
    const ask = async (line: string) => {
      const flags = { bash: ['--norc', '-c'], zsh: ['-f', '-c'], fish: ['-N', '-c'] }[name] ?? [];
      const { stdout } = await run(shell ?? name, [...flags, program(line)], {
        env: { ...env, LINE: line },
        cwd: home.folder,
      });
      return stdout.split('\n').filter((one) => one !== '');
    };
    assert.deepEqual(
      new Set(await ask('colophon api create-article --visibility ')),
      new Set(['public', 'unlisted', 'private']),
    );
    assert.deepEqual(await ask('colophon publish es'), ['essay.md']);
    // Nothing that is typed is run.
    await ask('colophon comment $(touch owned) ');
    assert.ok(!existsSync(join(home.folder, 'owned')));
  });
}
