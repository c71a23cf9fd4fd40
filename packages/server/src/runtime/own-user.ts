// User ids for the parts of the service that run without an account, and what a part is started with.
import { createHash } from 'node:crypto';

/** The parts that have a user id of their own when the service was started as root. */
const parts = ['database', 'images', 'drawing'] as const;
export type Part = (typeof parts)[number];

/** How a program is started: words before it, and the user that it runs as when that is not ours. */
export interface Confinement {
  readonly words: readonly string[];
  readonly uid: number | undefined;
}

/** User ids of systemd for users without an account: below the 65,536 that a container may have. */
const first = 61_184;
const last = 65_519;

/** Whether an id is one that a part may have: the range alone, accounts aside. */
export function inOwnRange(id: number): boolean {
  return id >= first && id <= last;
}

/** Every id in texts such as /etc/passwd and /etc/group, of users and of groups: a part has the same number for both. */
export function idsIn(...texts: readonly string[]): Set<number> {
  const fields = texts.flatMap((text) => text.split('\n')).map((line) => line.split(':'));
  const ids = fields.flatMap(([, , uid, gid]) => [uid, gid]);
  return new Set(ids.filter((id) => /^\d+$/.test(id ?? '')).map(Number));
}

/** The id of one part of the service on a data folder: not in `taken`, and different for each part. */
export function ownIdOf(part: Part, dataDir: string, taken: ReadonlySet<number>): number {
  const used = new Set(taken);
  let id = first;
  for (const one of parts.slice(0, parts.indexOf(part) + 1)) {
    const start = createHash('sha256').update(`${one}\n${dataDir}`).digest().readUInt32BE();
    let step = 0;
    do {
      id = first + ((start + step) % (last - first + 1));
      step += 1;
    } while (used.has(id));
    used.add(id);
  }
  return id;
}
