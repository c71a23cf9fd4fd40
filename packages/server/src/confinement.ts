// What decodes strangers' images, and what draws: as root it runs as a user of its own, without rights and network.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** How a program is started: words before it, and the user that it runs as. */
export interface Confinement {
  readonly words: readonly string[];
  readonly uid: number | undefined;
}

const open: Confinement = { words: [], uid: undefined };
/** Fixed places instead of PATH: what runs as root is not chosen by the environment. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
/** As in the embedded database: user ids without an account, inside what a container has. */
const [first, count] = [61_184, 4_336];

function toolAt(name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find((file) => existsSync(file));
}

function uidOf(part: string, dataDir: string): number {
  const taken = new Set(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => Number(line.split(':')[2])),
  );
  const start = createHash('sha256').update(`${part}\n${dataDir}`).digest().readUInt32BE();
  for (let step = 0; ; step += 1) {
    const uid = first + ((start + step) % count);
    if (!taken.has(uid)) return uid;
  }
}

/** Whether Node.js runs that way and can read its own program. */
function works(words: readonly string[], program: string): Promise<boolean> {
  const [file = '', ...rest] = words;
  const script = `require('node:fs').accessSync(${JSON.stringify(program)})`;
  return new Promise((resolve) => {
    execFile(file, [...rest, process.execPath, '-e', script], { env: {} }, (error) =>
      resolve(error === null),
    );
  });
}

/**
 * How `program` is to be started. `bytesMax` bounds its address space. Where this machine has not the tools or does not
 * permit it, the bounds are fewer, and none for an ordinary user, whose programs have no more rights than itself.
 */
export async function confinementOf(
  part: string,
  program: string,
  { dataDir, bytesMax }: { readonly dataDir: string; readonly bytesMax?: number },
): Promise<Confinement> {
  const [setpriv, prlimit, unshare] = ['setpriv', 'prlimit', 'unshare'].map(toolAt);
  if (process.platform !== 'linux' || process.geteuid?.() !== 0 || setpriv === undefined)
    return open;
  const uid = uidOf(part, dataDir);
  const identity = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs'];
  const user = [setpriv, ...identity, '--inh-caps=-all', '--bounding-set=-all', '--'];
  const memory =
    prlimit === undefined || bytesMax === undefined ? [] : [prlimit, `--as=${bytesMax}`, '--'];
  const network = unshare === undefined ? [] : [unshare, '--net', '--'];
  const bounded = [...memory, ...user];
  for (const words of [[...network, ...bounded], bounded])
    if (await works(words, program)) return { words, uid };
  return open;
}
