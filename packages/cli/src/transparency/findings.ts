// What an audit finds wrong.

/**
 * `different`: a leaf or a tile is not what it was or what the service shows. `missing`: the log or the
 * service does not have what the other has. `extra`: the log has what the service does not show, and no leaf
 * says why. `cut`: a file is too short. `backdated`: a leaf claims a time at which it was not there.
 * `root`: the files do not have the root of the checkpoint. `forked`, `older`: the checkpoint does not continue
 * one that was seen before.
 */
export type FindingKind =
  | 'different'
  | 'missing'
  | 'extra'
  | 'cut'
  | 'backdated'
  | 'root'
  | 'forked'
  | 'older';

export interface Finding {
  readonly kind: FindingKind;
  /** The number of the leaf; null for what has none. */
  readonly leaf: number | null;
  /** The file of the log. */
  readonly path?: string;
  /** The id of an article, a revision, a key or a statement. */
  readonly id?: string;
  readonly detail: string;
}

/** A finding of the comparison with the service. Unless it is certain, a leaf that comes later may explain it. */
export interface Doubt extends Finding {
  readonly isCertain?: true;
}

/** Names a finding, to see whether it is there again. */
export function findingKey({ kind, leaf, path, id }: Finding): string {
  return [kind, leaf, path, id].join(' ');
}

/** More are counted, and not listed. */
const listed = 1_000;

export interface Findings {
  add(finding: Finding): void;
  readonly list: readonly Finding[];
  count(): number;
}

/** Opens an empty list. What is found twice counts once. */
export function openFindings(): Findings {
  const list: Finding[] = [];
  const known = new Set<string>();
  let count = 0;
  return {
    list,
    count: () => count,
    add: (finding) => {
      const key = findingKey(finding);
      if (known.has(key)) return;
      if (known.size < listed) known.add(key);
      count += 1;
      if (list.length < listed) list.push(finding);
    },
  };
}
