// The first step of every npm script: installs the locked packages when they are missing or stale.
// With --production it installs only what the service needs to run, without the development tools. With --production or
// --build it also builds the program.
// Plain JavaScript without packages, because it runs before they are installed, on any version of Node.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './prepare-build.mjs';
import { Failure, takeLock } from './prepare-lock.mjs';
import { installedTree, lacksLinkOfNode } from './prepare-tree.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const tree = installedTree(root);
const runningMajor = Number(process.versions.node.split('.')[0]);
const oldestToInstall = 20;
const oldestToRun = 24;
const production = process.argv.includes('--production');
const builds = production || process.argv.includes('--build');

/**
 * On a platform without a pinned Node, the machine's own Node runs the scripts and must be able to strip
 * types.
 */
function checkRunningNode() {
  if (tree.pinnedNode() !== undefined || runningMajor >= oldestToRun) return;
  throw new Failure(
    `Colophon has no pinned Node.js for ${process.platform}-${process.arch}, and this is Node.js ${process.versions.node}: install Node.js ${oldestToRun} or later from https://nodejs.org.`,
  );
}

/**
 * A pinned Node that cannot run here (built for another C library) must not stay first in the scripts' PATH.
 */
function dropUnusableNode() {
  const file = tree.pinnedNode();
  if (file === undefined) return;
  const tried = spawnSync(file, ['--version'], { shell: process.platform === 'win32' });
  if (tried.status !== 0) rmSync(file, { force: true });
}

function npmCommand() {
  // The Node that runs npm, not the pinned one, which is about to be deleted and reinstalled.
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script !== undefined && script.endsWith('npm-cli.js')) {
    return { file: node || process.execPath, first: [script], shell: false };
  }
  return { file: 'npm', first: [], shell: process.platform === 'win32' };
}

const npmArguments = [
  '--ignore-scripts',
  production ? '--omit=dev' : '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  // Only errors: warnings are about the version of this Node, and the scripts run on the pinned one.
  '--loglevel=error',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/**
 * Shows progress: a counter at a terminal, an occasional line elsewhere. Call the returned function to stop
 * it.
 */
function showTime() {
  const started = Date.now();
  const terminal = Boolean(process.stderr.isTTY);
  const ticking = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    if (terminal) process.stderr.write(`\r  ${seconds} s `);
    else if (seconds % 15 === 0) process.stderr.write(`  still installing after ${seconds} s\n`);
  }, 1000);
  return () => {
    clearInterval(ticking);
    if (terminal) process.stderr.write('\r\u001B[K');
  };
}

function runNpm(words, lock) {
  const { file, first, shell } = npmCommand();
  const child = spawn(file, [...first, ...words, ...npmArguments], {
    cwd: root,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) lock.nameInstaller(child.pid);
  const stopTime = showTime();
  let said = '';
  const hear = (chunk) => {
    said += chunk;
    process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${chunk}` : chunk);
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  return new Promise((done) => {
    child.on('error', (error) => {
      said += error.code === 'ENOENT' ? 'npm is not installed' : error.message;
      done({ ok: false, said });
    });
    child.on('close', (code, signal) => {
      if (signal !== null) said += `npm was stopped by ${signal}`;
      done({ ok: code === 0, said });
    });
  }).finally(stopTime);
}

const reasons = [
  [/npm was stopped/, 'npm was stopped; the next start installs them again'],
  [/npm is not installed/, 'npm was not found: install it with Node.js from https://nodejs.org'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED/,
    'npm could not reach the package registry; the first installation needs a network, later starts do not',
  ],
  [
    /EUSAGE|in sync/,
    'package.json and package-lock.json do not match; run `npm install` and commit both',
  ],
  [
    /EACCES|EPERM|EROFS/,
    'this user cannot write to this folder; run the command once as its owner',
  ],
  [/ENOSPC/, 'the disk is full; free some space'],
];

function refusal(said) {
  const found = reasons.find(([pattern]) => pattern.test(said));
  return new Failure(
    `The packages were not installed: ${found ? found[1] : 'the output of npm above shows the reason'}.`,
  );
}

/**
 * `npm ci` only where it is needed: it deletes the installed packages first, and a server may be running from
 * them.
 */
function chooseCommand() {
  if (!tree.isInstalled()) return { words: ['ci'], state: 'some are missing' };
  if (!production && tree.matchesLock(true)) {
    return { words: ['install', '--no-save'], state: 'the development tools are missing' };
  }
  return { words: ['ci'], state: 'the installed ones are out of date' };
}

async function install(lock) {
  const { words, state } = chooseCommand();
  const shown = [...words, '--ignore-scripts', ...(production ? ['--omit=dev'] : [])].join(' ');
  process.stderr.write(`Installing the locked packages (${state}): npm ${shown}\n`);
  // Removed first, so that an interrupted installation counts as stale.
  tree.unstamp();
  let result = await runNpm([...words, '--prefer-offline'], lock);
  // The cache may contain the package but not yet its newest version.
  if (!result.ok && /ETARGET|EINTEGRITY/.test(result.said)) {
    result = await runNpm([...words, '--prefer-online'], lock);
  }
  if (!result.ok) throw refusal(result.said);
  await linkNode(lock);
  dropUnusableNode();
  tree.stamp(production);
}

/** Makes the links to the programs of the packages again, if that to the pinned Node is missing. */
async function linkNode(lock) {
  if (!lacksLinkOfNode(root)) return;
  const { ok, said } = await runNpm(['rebuild'], lock);
  if (!ok) throw refusal(said);
}

/** For a tree that somebody else's `npm ci` made. */
async function adopt(lock, withoutTools) {
  if (lacksLinkOfNode(root)) {
    await linkNode(lock);
    dropUnusableNode();
  }
  tree.stamp(withoutTools);
}

async function makeFresh() {
  const lock = await takeLock(join(root, '.prepare.lock'));
  try {
    // Another process may have installed the packages while this one waited.
    if (tree.isStamped(production)) return;
    if (tree.matchesLock()) await adopt(lock, false);
    else if (production && tree.matchesLock(true)) await adopt(lock, true);
    else await install(lock);
  } finally {
    lock.release();
  }
}

/** In a folder of another user, a correct tree without a stamp is used as it is. */
function mayWrite() {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function prepare() {
  if (runningMajor < oldestToInstall) {
    throw new Failure(
      `This is Node.js ${process.versions.node}: install Node.js ${oldestToInstall} or later from https://nodejs.org.`,
    );
  }
  if (!tree.isStamped(production)) {
    if (mayWrite()) await makeFresh();
    else if (!tree.matchesLock(production)) throw refusal('EACCES');
  }
  checkRunningNode();
  if (builds && mayWrite()) buildIfChanged(root, tree.pinnedNode() ?? process.execPath);
}

/** Whether the packages are installed; if not, the reason was printed. */
export const prepared = prepare().then(
  () => true,
  (error) => {
    const refused = /^(EACCES|EPERM|EROFS|ENOSPC)$/.test(error.code) ? refusal(error.code) : error;
    process.stderr.write(`${refused instanceof Failure ? refused.message : refused.stack}\n`);
    process.exitCode = 1;
    return false;
  },
);
