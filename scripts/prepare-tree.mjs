// Checks whether the installed packages match package-lock.json: by a stamp, else by a full comparison.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dependencyFields = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
];
// The fields that determine which packages are installed. A changed script or description must not cause a
// reinstall.
const installFields = ['name', 'version', 'workspaces', 'bin', 'overrides', ...dependencyFields];

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function jsonOf(file) {
  const text = textOf(file);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The folders of the workspace as package-lock.json names them: '' and 'packages/…'. */
function workspaceFolders(root) {
  const packages = join(root, 'packages');
  const names = existsSync(packages) ? readdirSync(packages).sort() : [];
  return ['', ...names.map((name) => `packages/${name}`)];
}

function cLibrary() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/**
 * Whether a package is made specifically for this platform. The dependencies of an absent optional package
 * name no platform.
 */
function belongsHere(entry) {
  const fits = (list, value) => list === undefined || list.includes(value);
  const { os, cpu, libc } = entry;
  if (os === undefined) return false;
  return fits(os, process.platform) && fits(cpu, process.arch) && (!libc || fits(libc, cLibrary()));
}

function isSame(wanted, present, production) {
  if (present === undefined) {
    if (production && wanted.dev === true) return true;
    return wanted.optional === true && !belongsHere(wanted);
  }
  return wanted.version === present.version && wanted.integrity === present.integrity;
}

function wantsTheSame(manifest, locked) {
  return dependencyFields.every((field) => {
    const sorted = (entries) =>
      JSON.stringify(
        Object.entries(entries || {})
          .map(String)
          .sort(),
      );
    return sorted(manifest[field]) === sorted(locked[field]);
  });
}

function linkOfNode(modules) {
  const names = process.platform === 'win32' ? ['node.cmd', 'node.exe'] : ['node'];
  return names.map((name) => join(modules, '.bin', name)).find((file) => existsSync(file));
}

/**
 * Whether the package of the pinned Node.js is installed and nothing links to it: npm 9.2 deletes the link
 * together with the packages for other platforms.
 */
export function lacksLinkOfNode(root) {
  const modules = join(root, 'node_modules');
  const name = `node-${process.platform}-${process.arch}`;
  return linkOfNode(modules) === undefined && existsSync(join(modules, name, 'package.json'));
}

/** Returns the installed tree below `root`. */
export function installedTree(root) {
  const modules = join(root, 'node_modules');
  const stampFile = join(modules, '.prepared');
  // npm writes its own record last, so an interrupted installation has none.
  const recordFile = join(modules, '.package-lock.json');

  function stampNow(production) {
    const kind = production ? 'without tools' : 'with tools';
    const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${kind}\n`);
    hash.update(textOf(join(root, 'package-lock.json')) || '');
    for (const folder of workspaceFolders(root)) {
      const manifest = jsonOf(join(root, folder, 'package.json'));
      if (manifest === undefined) continue;
      hash.update(JSON.stringify(installFields.map((field) => manifest[field] || null)));
    }
    hash.update(textOf(recordFile) || 'nothing installed');
    return `${hash.digest('hex')}\n`;
  }

  return {
    /** For production, a tree that also contains the development tools is accepted. */
    isStamped(production = false) {
      const stamp = textOf(stampFile);
      if (stamp === undefined) return false;
      return stamp === stampNow(false) || (production && stamp === stampNow(true));
    },
    stamp(production = false) {
      writeFileSync(stampFile, stampNow(production));
    },
    unstamp() {
      rmSync(stampFile, { force: true });
    },
    isInstalled() {
      return existsSync(recordFile);
    },
    /**
     * Whether the tree is what `npm install` or `npm ci` makes from the lock file; for production, the
     * development tools may be missing.
     */
    matchesLock(production = false) {
      const locked = jsonOf(join(root, 'package-lock.json'));
      const present = jsonOf(recordFile);
      if (locked === undefined || present === undefined) return false;
      const packages = Object.entries(locked.packages).filter(([path]) => path !== '');
      return (
        packages.every(([path, entry]) => isSame(entry, present.packages[path], production)) &&
        Object.keys(present.packages).every((path) => path in locked.packages) &&
        workspaceFolders(root).every((folder) => {
          const manifest = jsonOf(join(root, folder, 'package.json'));
          return manifest === undefined || wantsTheSame(manifest, locked.packages[folder] || {});
        })
      );
    },
    /** Returns the path of the pinned Node.js, if there is one for this platform. */
    pinnedNode: () => linkOfNode(modules),
  };
}
