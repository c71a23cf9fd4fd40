// User ids for the parts of the service that run without an account, and how a part is started.
import { createHash } from 'node:crypto';

/** The parts that have their own user id if the service was started as root. */
const parts = ['database', 'images', 'drawing'] as const;
export type Part = (typeof parts)[number];

/** How a program is started: words before its command, and its user if that differs from ours. */
export interface Confinement {
  readonly words: readonly string[];
  readonly uid: number | undefined;
}

/** systemd's range of user ids without an account: below the 65,536 that a container may have. */
const first = 61_184;
const last = 65_519;

/** Whether an id is in the range for parts; accounts are not checked. */
export function inOwnRange(id: number): boolean {
  return id >= first && id <= last;
}

/**
 * Returns every user and group id in texts such as /etc/passwd and /etc/group: a part has the same number for
 * both.
 */
export function idsIn(...texts: readonly string[]): Set<number> {
  const fields = texts.flatMap((text) => text.split('\n')).map((line) => line.split(':'));
  const ids = fields.flatMap(([, , uid, gid]) => [uid, gid]);
  return new Set(ids.filter((id) => /^\d+$/.test(id ?? '')).map(Number));
}

/**
 * Returns the id of one part of the service on a data folder: not in `taken`, and different for each part.
 */
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
