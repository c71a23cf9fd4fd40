// Tests of package-lock.json: a hash for every package, all platforms, and no registry URLs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly devOptional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Entry>> };
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));

test('every package has an integrity hash', () => {
  const without = installed.filter(([, { link, integrity }]) => !link && !integrity);
  assert.deepEqual(
    without.map(([path]) => path),
    [],
    'Choose a version whose packages for all platforms are in the registry.',
  );
  assert.ok(installed.length > 400, `${installed.length} packages are found`);
});

test('every optional dependency is locked, or `npm ci` refuses the file on a fresh clone', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  assert.deepEqual(missing, []);
});

test('running needs none of the tools', () => {
  const tools = installed.filter(([, { devOptional }]) => devOptional === true);
  assert.deepEqual(
    tools.map(([path]) => path),
    [],
    'A package for running names it as an optional peer: give the tool another name with `npm:`.',
  );
});

test('no address of a registry is in the file', () => {
  assert.doesNotMatch(text, /"resolved": "http/);
});
