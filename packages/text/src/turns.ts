// Turns for costly work: a limited number at once, shared fairly between addresses and accounts.

/** An account at a network address, or the address alone. */
export interface Client {
  readonly address: string;
  /** undefined for an anonymous client. */
  readonly account?: string | undefined;
  /** Called at the end of the work with its milliseconds, whether it succeeded or failed. */
  readonly worked?: (ms: number) => void;
}

/** The requester; a string is a network address. undefined: the service itself, bounded only by `waiting`. */
export type Requester = string | Client | undefined;

export interface TurnBounds {
  /** The number of turns at once. */
  readonly atOnce: number;
  /** The maximum number of waiters in all. */
  readonly waiting: number;
  /** The maximum number of waiters of one account, or of one address without an account. */
  readonly waitingEach: number;
}

/** `crowded`: too many wait in all. `repeated`: too many of this requester wait. */
export type Refused = 'crowded' | 'repeated';

export interface Turn extends Disposable {
  readonly granted: true;
}

type Key = string | symbol;

/** The two lanes of a requester. Without an account, the address takes its place. */
interface Place {
  readonly address: Key;
  readonly account: Key;
}

interface Waiter {
  readonly place: Place;
  readonly settle: (outcome: Turn | 'crowded') => void;
}

type Lane = Waiter[];
/** The lanes of the accounts at one address. */
type Lanes = Map<Key, Lane>;

function placeOf(requester: Requester): Place {
  // The service's own work shares no lane.
  const key = requester ?? Symbol('own');
  if (typeof key !== 'object') return { address: key, account: key };
  return { address: key.address, account: key.account ?? key.address };
}

function sizeOf(lanes: Lanes | undefined): number {
  let size = 0;
  for (const lane of lanes?.values() ?? []) size += lane.length;
  return size;
}

function longest<T>(
  lanes: ReadonlyMap<Key, T>,
  size: (lane: T) => number,
): { readonly key: Key; readonly size: number } | undefined {
  let found: { readonly key: Key; readonly size: number } | undefined;
  for (const [key, lane] of lanes) {
    const length = size(lane);
    if (length > (found?.size ?? 0)) found = { key, size: length };
  }
  return found;
}

function moveToEnd<T>(lanes: Map<Key, T>, key: Key): void {
  const lane = lanes.get(key);
  lanes.delete(key);
  if (lane !== undefined) lanes.set(key, lane);
}

/**
 * Returns the longest lane, if it would still be at least as long as the newcomer's lane after it loses a
 * waiter and the newcomer is added.
 */
function longestLane(
  addresses: ReadonlyMap<Key, Lanes>,
  { address, account }: Place,
): Place | undefined {
  const own = addresses.get(address);
  const crowd = longest(addresses, sizeOf);
  const from = crowd !== undefined && crowd.size > sizeOf(own) + 1 ? crowd.key : address;
  const lane = longest(addresses.get(from) ?? (new Map() as Lanes), ({ length }) => length);
  if (lane === undefined) return undefined;
  if (from === address && lane.size <= (own?.get(account)?.length ?? 0) + 1) return undefined;
  return { address: from, account: lane.key };
}

/** Waiters by address and account: addresses are served in turn, and so are the accounts of each address. */
function openLanes() {
  const addresses = new Map<Key, Lanes>();
  /** The number of waiters of each account, over all addresses. */
  const accounts = new Map<Key, number>();
  let size = 0;

  function count({ account }: Place, change: 1 | -1): void {
    size += change;
    const of = (accounts.get(account) ?? 0) + change;
    if (of > 0) accounts.set(account, of);
    else accounts.delete(account);
  }

  function remove(place: Place, end: 'first' | 'last'): Waiter | undefined {
    const { address, account } = place;
    const lanes = addresses.get(address);
    const lane = lanes?.get(account);
    if (lanes === undefined || lane === undefined) return undefined;
    count(place, -1);
    const waiter = end === 'first' ? lane.shift() : lane.pop();
    if (end === 'first') {
      moveToEnd(lanes, account);
      moveToEnd(addresses, address);
    }
    if (lane.length === 0) lanes.delete(account);
    if (lanes.size === 0) addresses.delete(address);
    return waiter;
  }

  return {
    size: () => size,
    sizeOf: ({ account }: Place) => accounts.get(account) ?? 0,
    add(waiter: Waiter): void {
      const { address, account } = waiter.place;
      const lanes: Lanes = addresses.get(address) ?? new Map<Key, Lane>();
      const lane = lanes.get(account) ?? [];
      lane.push(waiter);
      lanes.set(account, lane);
      addresses.set(address, lanes);
      count(waiter.place, 1);
    },
    /** Removes the next waiter that may start. Its account and its address move to the end. */
    next(mayStart: (place: Place) => boolean): Waiter | undefined {
      for (const [address, lanes] of addresses) {
        for (const account of lanes.keys()) {
          const place = { address, account };
          if (mayStart(place)) return remove(place, 'first');
        }
      }
      return undefined;
    },
    /** Removes the newest waiter of the longest lane, if the newcomer's lane is shorter. */
    makeRoom(newcomer: Place): Waiter | undefined {
      const place = longestLane(addresses, newcomer);
      return place && remove(place, 'last');
    },
  };
}

/**
 * Opens the turns. An address and an account each have one turn at a time. The caller disposes of a turn when
 * its work is done. When too many wait, the longest lane loses its newest waiter to a requester whose lane is
 * shorter.
 */
export function openTurns({ atOnce, waiting, waitingEach }: TurnBounds) {
  const lanes = openLanes();
  const busy = new Set<Key>();
  let turns = 0;

  const mayStart = ({ address, account }: Place) =>
    turns < atOnce && !busy.has(address) && !busy.has(account);

  function grant({ address, account }: Place): Turn {
    turns += 1;
    busy.add(address).add(account);
    return {
      granted: true,
      [Symbol.dispose]: () => {
        turns -= 1;
        busy.delete(address);
        busy.delete(account);
        let next = lanes.next(mayStart);
        // The end of one turn may free an address and an account that different waiters need.
        for (; next !== undefined; next = lanes.next(mayStart)) next.settle(grant(next.place));
      },
    };
  }

  return async (requester: Requester): Promise<Turn | Refused> => {
    const place = placeOf(requester);
    if (mayStart(place)) return grant(place);
    if (lanes.sizeOf(place) >= waitingEach) return 'repeated';
    if (lanes.size() >= waiting) {
      const evicted = lanes.makeRoom(place);
      if (evicted === undefined) return 'crowded';
      evicted.settle('crowded');
    }
    return new Promise((settle) => lanes.add({ place, settle }));
  };
}
