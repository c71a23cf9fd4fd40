// Tests of the first step of every script: when a tree is fresh, and concurrent installations.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface Tree {
  readonly isStamped: (production?: boolean) => boolean;
  readonly stamp: (production?: boolean) => void;
  readonly matchesLock: (production?: boolean) => boolean;
}

const url = (name: string) => new URL(name, import.meta.url).href;
const { installedTree, lacksLinkOfNode } = (await import(url('./prepare-tree.mjs'))) as {
  lacksLinkOfNode: (root: string) => boolean;
  installedTree: (root: string) => Tree;
};
const folder = mkdtempSync(join(tmpdir(), 'colophon-prepare-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const packages = { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-left' } };
const elsewhere = { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['x64'] };
const here = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };

function write(name: string, content: object): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  write('package.json', { name: 'x', scripts: {}, dependencies: { left: '1.0.0' } });
  write('package-lock.json', {
    packages: {
      '': { dependencies: { left: '1.0.0' } },
      ...packages,
      'node_modules/other': elsewhere,
    },
  });
  write('node_modules/.package-lock.json', { packages });
});

test('a stamped tree is fresh until the lock file, a manifest or the tree changes', () => {
  const tree = installedTree(folder);
  assert.equal(tree.isStamped(), false);
  tree.stamp();
  assert.equal(tree.isStamped(), true);
  write('package.json', { name: 'x', scripts: { more: 'yes' }, dependencies: { left: '1.0.0' } });
  assert.equal(tree.isStamped(), true, 'a script is not a dependency');
  write('package.json', { name: 'x', dependencies: { left: '2.0.0' } });
  assert.equal(tree.isStamped(), false);
  tree.stamp();
  write('node_modules/.package-lock.json', { packages: {} });
  assert.equal(tree.isStamped(), false, 'npm took something away');
});

test('a tree that npm has made from the same lock file is taken as it is', () => {
  const tree = installedTree(folder);
  assert.equal(tree.matchesLock(), true);
  const root = { dependencies: { left: '1.0.0' } };
  write('package-lock.json', { packages: { '': root, ...packages, 'node_modules/here': here } });
  assert.equal(tree.matchesLock(), false, 'a package for this platform is missing');
  write('package-lock.json', { packages: { '': root, 'node_modules/left': { version: '1.0.1' } } });
  assert.equal(tree.matchesLock(), false, 'another version is installed');
  write('package-lock.json', {
    packages: { '': { dependencies: { left: '2.0.0' } }, ...packages },
  });
  assert.equal(tree.matchesLock(), false, 'the manifest asks for something else');
  rmSync(join(folder, 'node_modules/.package-lock.json'));
  assert.equal(tree.matchesLock(), false, 'the installation was cut short');
});

test('a tree without the development tools serves, and is stale for everything else', () => {
  const tree = installedTree(folder);
  const tool = { version: '1.0.0', integrity: 'sha512-tool', dev: true };
  const root = { dependencies: { left: '1.0.0' } };
  write('package-lock.json', { packages: { '': root, ...packages, 'node_modules/tool': tool } });
  assert.deepEqual([tree.matchesLock(), tree.matchesLock(true)], [false, true]);
  tree.stamp(true);
  assert.deepEqual([tree.isStamped(), tree.isStamped(true)], [false, true]);
  write('node_modules/.package-lock.json', {
    packages: { ...packages, 'node_modules/tool': { ...tool, integrity: 'sha512-else' } },
  });
  assert.equal(tree.matchesLock(true), false, 'a tool that is there must be the locked one');
  write('node_modules/.package-lock.json', {
    packages: { ...packages, 'node_modules/tool': tool },
  });
  assert.deepEqual([tree.matchesLock(), tree.matchesLock(true)], [true, true]);
  tree.stamp();
  assert.deepEqual([tree.isStamped(), tree.isStamped(true)], [true, true]);
});

test('a package of the pinned Node.js without its link is noticed, no package is not', () => {
  assert.equal(lacksLinkOfNode(folder), false, 'there is no such package for this platform');
  const name = `node_modules/node-${process.platform}-${process.arch}`;
  mkdirSync(join(folder, name));
  write(`${name}/package.json`, { bin: { node: 'bin/node' } });
  assert.equal(lacksLinkOfNode(folder), true);
  mkdirSync(join(folder, 'node_modules/.bin'));
  const file = process.platform === 'win32' ? 'node.cmd' : 'node';
  write(`node_modules/.bin/${file}`, {});
  assert.equal(lacksLinkOfNode(folder), false);
});

const holder = `
  const { appendFileSync } = await import('node:fs');
  const { takeLock } = await import(${JSON.stringify(url('./prepare-lock.mjs'))});
  const [lockFile, log] = process.argv.slice(1);
  const lock = await takeLock(lockFile);
  appendFileSync(log, 'in ');
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
  appendFileSync(log, 'out ');
  lock.release();
`;

async function hold(count: number): Promise<string> {
  const log = join(folder, 'log');
  const words = ['--input-type=module', '--eval', holder, join(folder, 'lock'), log];
  await Promise.all(
    Array.from({ length: count }, () => promisify(execFile)(process.execPath, words)),
  );
  return readFileSync(log, 'utf8');
}

test('npm runs no install script, and so none before another: each script prepares the packages itself', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  const manifests = globSync('packages/*/package.json', { cwd: root });
  for (const manifest of ['package.json', ...manifests]) {
    const { scripts = {} } = JSON.parse(read(manifest)) as { scripts?: Record<string, string> };
    for (const [name, line] of Object.entries(scripts)) {
      // In a subshell: after it, a shell searches again for the Node.js that was installed.
      const first =
        /^\(node (?:\.\.\/\.\.\/)?scripts\/prepare\.mjs(?: --production| --build)?\) && /;
      assert.match(line, first, `${name} of ${manifest}`);
      const around = Object.hasOwn(scripts, `pre${name}`) || Object.hasOwn(scripts, `post${name}`);
      assert.ok(!around, `${name} of ${manifest}`);
    }
  }
});

test('what builds the client has the development tools: its types are made by the compiler', () => {
  const file = new URL('../packages/sdk/package.json', import.meta.url);
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { build: string } };
  assert.match(scripts.build, /prepare\.mjs\) /);
});

test('several installations wait for each other', async () => {
  assert.equal(await hold(4), 'in out '.repeat(4));
});

test('a lock whose holder is dead is taken over, one whose npm still runs is not', async () => {
  const gone = execFile(process.execPath, ['--eval', '']);
  await new Promise((done) => gone.once('exit', done));
  write('lock', { pid: gone.pid, host: hostname() });
  assert.equal(await hold(1), 'in out ');

  const npm = execFile(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  write('lock', { pid: gone.pid, host: hostname(), installer: npm.pid });
  let ended = false;
  const waiting = hold(1).finally(() => (ended = true));
  await Promise.race([
    waiting,
    promisify(execFile)(process.execPath, ['--eval', 'setTimeout(() => {}, 300)']),
  ]);
  assert.equal(ended, false);
  npm.kill('SIGKILL');
  assert.equal(await waiting, 'in out in out ');
});
