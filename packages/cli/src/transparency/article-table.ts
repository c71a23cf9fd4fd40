// What a log says of each of its articles, in a few dozen bytes each: a log has millions, and a Map of objects would take
// most of the time of an audit.
import { isId } from '../id.ts';

/** What readers get at an article's address, as the log says. */
export type ArticleState = 'shown' | 'withdrawn' | 'removed' | 'erased';

export interface LoggedArticle {
  readonly state: ArticleState;
  /** The leaf that the state is from. */
  readonly stateLeaf: number;
  /** The leaves of its publications, in their order. */
  readonly publications: readonly number[];
}

export interface ArticleTable {
  /** How many articles the log mentions. */
  size(): number;
  get(id: string): LoggedArticle | undefined;
  /** Adds a publication. An article without a state is shown from then on. @throws RangeError for a malformed id */
  publish(id: string, leaf: number): void;
  /** Replaces the state. @throws RangeError for a malformed id */
  change(id: string, state: ArticleState, leaf: number): void;
  /** The ids of articles with a state. */
  idsOf(state: ArticleState): Generator<string, void, undefined>;
}

const states: readonly ArticleState[] = ['shown', 'withdrawn', 'removed', 'erased'];
const idLength = 26;

const firstCapacity = 1 << 12;

/** Columns of equal length, and an index of open addresses that is twice as long. */
function columns(capacity: number) {
  return {
    capacity,
    ids: Buffer.alloc(capacity * idLength),
    state: new Uint8Array(capacity),
    stateLeaf: new Float64Array(capacity),
    /** -1 without a publication. */
    firstLeaf: new Float64Array(capacity),
    index: new Int32Array(capacity * 2).fill(-1),
  };
}

type Columns = ReturnType<typeof columns>;

/** FNV-1a from a random start, so that no log can choose ids that collide. */
function hashOf(seed: number, bytes: Uint8Array, start: number): number {
  let hash = seed;
  for (let at = start; at < start + idLength; at += 1)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function grown(old: Columns, seed: number, size: number): Columns {
  const next = columns(old.capacity * 2);
  next.ids.set(old.ids);
  for (const name of ['state', 'stateLeaf', 'firstLeaf'] as const) next[name].set(old[name]);
  for (let row = 0; row < size; row += 1) {
    let at = hashOf(seed, next.ids, row * idLength) % next.index.length;
    while (next.index[at] !== -1) at = (at + 1) % next.index.length;
    next.index[at] = row;
  }
  return next;
}

/** Rows of ids that are found by them. */
function createRows() {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const asked = Buffer.alloc(idLength);
  let table = columns(firstCapacity);
  let size = 0;

  /** The place of an id in the index: that of its row, or a free one. */
  function placeOf(id: string): number {
    asked.write(id, 0, idLength, 'latin1');
    let at = hashOf(seed, asked, 0) % table.index.length;
    for (let row = table.index[at] ?? -1; row !== -1; row = table.index[at] ?? -1) {
      const start = row * idLength;
      if (asked.compare(table.ids, start, start + idLength) === 0) return at;
      at = (at + 1) % table.index.length;
    }
    return at;
  }

  return {
    size: () => size,
    table: () => table,
    idAt: (row: number) => table.ids.toString('latin1', row * idLength, (row + 1) * idLength),
    find: (id: string): number | undefined => {
      const row = isId(id) ? (table.index[placeOf(id)] ?? -1) : -1;
      return row === -1 ? undefined : row;
    },
    add: (id: string): number => {
      if (!isId(id)) throw new RangeError(`${id} is not the id of an article.`);
      if (size === table.capacity) table = grown(table, seed, size);
      table.index[placeOf(id)] = size;
      table.ids.set(asked, size * idLength);
      size += 1;
      return size - 1;
    },
  };
}

/** Returns an empty table. */
export function createArticleTable(): ArticleTable {
  const rows = createRows();
  /** Few articles have a second publication. */
  const laterLeaves = new Map<number, number[]>();

  function rowOf(id: string, leaf: number): number {
    const known = rows.find(id);
    if (known !== undefined) return known;
    const row = rows.add(id);
    const { state, stateLeaf, firstLeaf } = rows.table();
    [state[row], stateLeaf[row], firstLeaf[row]] = [0, leaf, -1];
    return row;
  }

  function articleAt(row: number): LoggedArticle {
    const { state, stateLeaf, firstLeaf } = rows.table();
    const first = firstLeaf[row] ?? -1;
    return {
      state: states[state[row] ?? 0] ?? 'shown',
      stateLeaf: stateLeaf[row] ?? -1,
      publications: [...(first === -1 ? [] : [first]), ...(laterLeaves.get(row) ?? [])],
    };
  }

  return {
    size: rows.size,
    get: (id) => {
      const row = rows.find(id);
      return row === undefined ? undefined : articleAt(row);
    },
    publish: (id, leaf) => {
      const row = rowOf(id, leaf);
      const { firstLeaf } = rows.table();
      if (firstLeaf[row] === -1) firstLeaf[row] = leaf;
      else if (laterLeaves.get(row)?.push(leaf) === undefined) laterLeaves.set(row, [leaf]);
    },
    change: (id, to, leaf) => {
      const row = rowOf(id, leaf);
      const { state, stateLeaf } = rows.table();
      [state[row], stateLeaf[row]] = [states.indexOf(to), leaf];
    },
    idsOf: function* idsOf(wanted) {
      const code = states.indexOf(wanted);
      for (let row = 0; row < rows.size(); row += 1)
        if (rows.table().state[row] === code) yield rows.idAt(row);
    },
  };
}
