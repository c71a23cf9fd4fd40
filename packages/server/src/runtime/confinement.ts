// What decodes strangers' images, and what draws: as root it runs as a user of its own, without rights and network.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { idsIn, ownIdOf } from './own-user.ts';
import type { Confinement, Part } from './own-user.ts';

/** Fixed places instead of PATH: what runs as root is not chosen by the environment. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function toolAt(name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find((file) => existsSync(file));
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The database has the id that it had when its folder was made, in another place perhaps: no part may have the same. */
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
 * Opens files, which a capability may permit. Folders are those that libraries work in, which ask with access(2) and
 * see no capability.
 */
const look = `const { accessSync, constants, openSync } = require('node:fs');
for (const name of process.argv.slice(1))
  name.endsWith('/') ? accessSync(name, constants.X_OK) : openSync(name);`;

/** Whether Node.js runs that way and can read what the program needs. */
function works(words: readonly string[], needs: readonly string[]): Promise<boolean> {
  const [file = '', ...rest] = words;
  return new Promise((resolve) => {
    const all = [...rest, process.execPath, '-e', look, '--', ...needs];
    execFile(file, all, { env: {}, cwd: '/' }, (error) => resolve(error === null));
  });
}

/** Words that change the user, and drop every capability but one. */
function becoming(setpriv: string, uid: number, kept = ''): readonly string[] {
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

const withNetwork = 'it has the network, because this machine permits no network namespace';
const withFiles =
  'it may read every file, because its user id cannot enter the folders of the program (below /root, perhaps)';
const withMemory = 'its memory is bounded only by itself, because the command prlimit is missing';

/** From the least rights to the most. */
function attempts(setpriv: string, uid: number, bytesMax: number): readonly Attempt[] {
  const [prlimit, unshare] = ['prlimit', 'unshare'].map(toolAt);
  // Of the data, not of the address space: V8 reserves gigabytes of it that it never uses.
  const memory = prlimit === undefined ? [] : [prlimit, `--data=${bytesMax}`, '--'];
  const unbounded = prlimit === undefined ? [withMemory] : [];
  const users = [
    { user: becoming(setpriv, uid), gaps: unbounded },
    { user: becoming(setpriv, uid, 'dac_read_search'), gaps: [...unbounded, withFiles] },
  ];
  return users.flatMap(({ user, gaps }) => {
    const open = { words: [...memory, ...user], gaps: [...gaps, withNetwork] };
    if (unshare === undefined) return [open];
    return [{ words: [unshare, '--net', '--', ...open.words], gaps }, open];
  });
}

export interface Bounds {
  readonly dataDir: string;
  /** Of memory that the process writes to. */
  readonly bytesMax: number;
  /** Told once when something is not confined: a sentence that says what and why. */
  readonly warn: (sentence: string) => void;
}

/**
 * How the program of a part is to be started. `needs` are the files that it reads, and with a slash at the end the
 * folders that it works in. Where this machine does not permit a bound, the others hold and `warn` is told. An ordinary
 * user's programs have no more rights than the service itself: they are started as they are.
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
      warn(`the part "${part}" has more rights than it needs: ${gaps.join('; ')}`);
    return { words, uid };
  }
  const why =
    setpriv === undefined
      ? 'the command setpriv is missing'
      : 'setpriv does not work here, or another user cannot enter the temporary folder (TMPDIR)';
  warn(`the part "${part}" runs as root with the network and all rights, because ${why}`);
  return { words: [], uid: undefined };
}
