// Starts PostgreSQL's programs: as the right user, and ending with this process.

import { spawn } from 'node:child_process';
import type { ChildProcessByStdio, IOType } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { failure } from './failure.ts';
import { canEnter } from './run-user.ts';
import type { RunUser } from './run-user.ts';

// Fixed paths instead of PATH: the environment must not choose what runs as root.
const TOOL_FOLDERS = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
];
const FOLDER_FD = 3;

export type Launcher = { user: RunUser; setpriv: string | undefined };

/** `args` receives the name under which the program sees `folder`. */
export type Command = { program: string; folder: string; args(folder: string): string[] };

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Returns the absolute path of a system tool; undefined if it is missing. */
export async function findTool(name: string): Promise<string | undefined> {
  for (const folder of TOOL_FOLDERS) {
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return undefined;
}

/** Returns how programs are started for `user` on this machine. */
export async function createLauncher(user: RunUser): Promise<Launcher> {
  const setpriv = process.platform === 'linux' ? await findTool('setpriv') : undefined;
  if (setpriv === undefined) return { user, setpriv };
  // Old and minimal versions do not support the option.
  const probe = spawn(setpriv, ['--pdeathsig=INT', 'true'], { stdio: 'ignore', env: environment });
  const [code] = (await once(probe, 'exit')) as [number | null];
  return { user, setpriv: code === 0 ? setpriv : undefined };
}

/**
 * Starts a program in its own session, so that Ctrl-C reaches this process first and the server is stopped in
 * order. With setpriv(1), the kernel sends it SIGINT, a fast shutdown, when the thread that started it ends
 * for any reason. setpriv sets this after it changed the user, because a change of user would clear it. If
 * setpriv is missing, the next start stops the server.
 */
export async function launch(launcher: Launcher, command: Command): Promise<Child> {
  const fd = await openUnreachable(launcher.user, command.folder);
  try {
    const child = spawnFor(launcher, command, fd);
    // A program that ends early closes its input; only its exit status matters.
    child.stdin.on('error', () => {});
    return child;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Opens the folder if the server's user cannot enter its parent, such as /root, so that the descriptor can be
 * passed instead of the path.
 */
async function openUnreachable(user: RunUser, folder: string): Promise<number | undefined> {
  if (await canEnter(user, dirname(folder))) return undefined;
  if (process.platform === 'linux')
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  throw failure(
    `User id ${user.uid}, which runs the database, cannot enter ${dirname(folder)}: set DATA_DIR to a folder that every user can enter, or start Colophon as an ordinary user.`,
  );
}

function spawnFor({ user, setpriv }: Launcher, command: Command, fd: number | undefined): Child {
  const args = command.args(fd === undefined ? command.folder : `/proc/self/fd/${FOLDER_FD}`);
  const pipes: IOType[] = ['pipe', 'pipe', 'pipe'];
  const options = {
    cwd: '/',
    env: environment,
    detached: true,
    stdio: fd === undefined ? pipes : [...pipes, fd],
  };
  if (setpriv !== undefined)
    return spawn(setpriv, [...privileges(user), '--', command.program, ...args], options) as Child;
  const identity = user.switched ? { uid: user.uid, gid: user.gid } : {};
  return spawn(command.program, args, { ...options, ...identity }) as Child;
}

/**
 * Runs a program to its end with `input`.
 * @throws Error with `sentence` and the output: the program failed
 */
export async function runToEnd(
  launcher: Launcher,
  command: Command & { input?: string },
  sentence: string,
): Promise<void> {
  const child = await launch(launcher, command);
  child.stdin.end(command.input ?? '');
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  if (code === 0 && !/^(?:.*> )?(?:ERROR|FATAL|PANIC):/m.test(complaint)) return;
  const said = `${output}\n${complaint}`.trim();
  throw failure(`${sentence} (${reasonIn(said)}).`, new Error(said));
}

/** Returns the line of PostgreSQL's output that best explains the failure. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling =
    lines.find((line) => /FATAL|PANIC|ERROR|error/.test(line)) ??
    lines.at(-1) ??
    'it printed nothing';
  return telling.replace(/^.*?(?:FATAL|PANIC|ERROR|error):\s*/, '').trim();
}

const environment = { PATH: TOOL_FOLDERS.join(':'), LC_ALL: 'C', TZ: 'UTC' };

function privileges(user: RunUser): string[] {
  const change = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return ['--pdeathsig=INT', ...(user.switched ? change : [])];
}
