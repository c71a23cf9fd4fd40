// Confines the programs that decode images and draw: as root, each runs as its own user.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { idsIn, ownIdOf } from './own-user.ts';
import type { Confinement, Part } from './own-user.ts';

/** Fixed paths instead of PATH: the environment must not choose what runs as root. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function toolAt(name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find((file) => existsSync(file));
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * Returns the user id of a part. The database keeps the id that its folder was created with, perhaps at
 * another path: no part may have the same.
 */
function uidOf(part: Part, given: string): number {
  const dataDir = existsSync(given) ? realpathSync(given) : given;
  const taken = idsIn(textOf('/etc/passwd'), textOf('/etc/group'));
  for (const folder of [dataDir, join(dataDir, 'postgres')]) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found !== undefined) taken.add(found.uid).add(found.gid);
  }
  return ownIdOf(part, dataDir, taken);
}

/**
 * Opens files, which a capability may allow. Folders are those that libraries work in; they are checked with
 * access(2), which ignores capabilities.
 */
const look = `const { accessSync, constants, openSync } = require('node:fs');
for (const name of process.argv.slice(1))
  name.endsWith('/') ? accessSync(name, constants.X_OK) : openSync(name);`;

/** Whether Node.js runs with these words and can read the files that the program needs. */
function works(words: readonly string[], needs: readonly string[]): Promise<boolean> {
  const [file = '', ...rest] = words;
  return new Promise((resolve) => {
    const all = [...rest, process.execPath, '-e', look, '--', ...needs];
    execFile(file, all, { env: {}, cwd: '/' }, (error) => resolve(error === null));
  });
}

/** Returns the words that change the user and drop every capability except `kept`. */
function setprivWords(setpriv: string, uid: number, kept = ''): readonly string[] {
  const caps = kept === '' ? '-all' : `-all,+${kept}`;
  const sets = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${caps}`);
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs'];
  return [setpriv, ...user, ...sets, '--'];
}

interface Attempt {
  readonly words: readonly string[];
  /** What is not confined, and why. */
  readonly gaps: readonly string[];
}

const withNetwork =
  'it has network access, because this machine does not permit network namespaces';
const withFiles =
  'it can read every file, because its user id cannot enter the folders of the program (perhaps below /root)';
const withMemory =
  'its memory is limited only by the program itself, because the command prlimit is missing';

/** Returns the ways to start a program, from the fewest privileges to the most. */
function attempts(setpriv: string, uid: number, bytesMax: number): readonly Attempt[] {
  const [prlimit, unshare] = ['prlimit', 'unshare'].map(toolAt);
  // Limits data, not address space: V8 reserves gigabytes of it that it never uses.
  const memory = prlimit === undefined ? [] : [prlimit, `--data=${bytesMax}`, '--'];
  const unbounded = prlimit === undefined ? [withMemory] : [];
  const users = [
    { user: setprivWords(setpriv, uid), gaps: unbounded },
    { user: setprivWords(setpriv, uid, 'dac_read_search'), gaps: [...unbounded, withFiles] },
  ];
  return users.flatMap(({ user, gaps }) => {
    const open = { words: [...memory, ...user], gaps: [...gaps, withNetwork] };
    if (unshare === undefined) return [open];
    return [{ words: [unshare, '--net', '--', ...open.words], gaps }, open];
  });
}

export interface Bounds {
  readonly dataDir: string;
  /** Maximum bytes of memory that the process writes to. */
  readonly bytesMax: number;
  /** Called once if something is not confined, with a sentence that says what and why. */
  readonly warn: (sentence: string) => void;
}

/**
 * Returns how the program of a part is started. `needs` lists the files that it reads and, with a trailing
 * slash, the folders that it works in. If this machine does not support a restriction, the others apply and
 * `warn` is called. Programs of an ordinary user have no more privileges than the service itself: they are
 * started unchanged.
 */
export async function confinementOf(
  part: Part,
  needs: readonly string[],
  { dataDir, bytesMax, warn }: Bounds,
): Promise<Confinement> {
  if (process.geteuid?.() !== 0) return { words: [], uid: undefined };
  const setpriv = process.platform === 'linux' ? toolAt('setpriv') : undefined;
  const uid = uidOf(part, dataDir);
  const tried = setpriv === undefined ? [] : attempts(setpriv, uid, bytesMax);
  for (const { words, gaps } of tried) {
    if (!(await works(words, needs))) continue;
    if (gaps.length > 0)
      warn(`The process "${part}" has more rights than it needs: ${gaps.join('; ')}`);
    return { words, uid };
  }
  const why =
    setpriv === undefined
      ? 'the command setpriv is missing'
      : 'setpriv does not work on this machine, or other users cannot enter the temporary folder (TMPDIR)';
  warn(`The process "${part}" runs as root with network access and all rights, because ${why}`);
  return { words: [], uid: undefined };
}
