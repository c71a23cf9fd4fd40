// What a start loads: its time is mostly that of reading modules.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/** Prints the packages that serving loads, and Node's own modules. */
const program = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, next) {
    const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
for (const name of ['serve', 'app', 'http/index']) await import(#source + name + '.ts');
console.log(JSON.stringify({ packages: [...packages], modules: process.moduleLoadList }));
`;

test('a start loads neither the schema builder, nor encryption of backups, nor an HTTP client', async () => {
  const args = [
    '--input-type=module',
    '--eval',
    program.replace('#source', JSON.stringify(import.meta.resolve('../src/'))),
  ];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  const { packages, modules } = JSON.parse(stdout) as Record<'packages' | 'modules', string[]>;
  assert.ok(packages.includes('fastify'));
  for (const name of ['typebox', 'age-encryption', '@noble/post-quantum', 'esbuild', 'sharp'])
    assert.ok(!packages.includes(name), name);
  assert.deepEqual(
    modules.filter((name) => name.includes('undici')),
    [],
  );
});

test('Node modules are imported, except for the two files that say why not', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  const found = files.filter((file) =>
    readFileSync(resolve(root, file), 'utf8').includes('getBuiltinModule'),
  );
  assert.deepEqual(found.toSorted(), [
    'packages/server/src/http/node-http.ts',
    'packages/server/src/outgoing/ask-witness.ts',
  ]);
});
