// Several servers of one database: connects to the primary, and leaves the old one after a failover.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { findPrimary } from './find-primary.ts';
import type { Primary } from './find-primary.ts';
import { withoutRetry } from './pg-errors.ts';

/** How long connections wait for a primary while there is none. */
const usualSeekMs = 4_000;
const pauseMs = 200;
const watchMs = 2_000;

export interface Hosts {
  /**
   * Sets the host of a connection that is about to be opened to the primary, and closes the connection when
   * another server becomes the primary. The returned function reports that it could not be opened.
   * @throws Error with the code of a lost connection if no host has a primary
   */
  assign(client: pg.Client): Promise<() => void>;
}

interface State {
  readonly addresses: readonly pg.ClientConfig[];
  /** Receives the new primary after a failover, as `host:port`. */
  readonly moved: (host: string) => void;
  readonly seekMs: number;
  /** Connections that are open or being opened. */
  readonly open: Map<pg.Client, pg.ClientConfig>;
  /** Undefined while it is sought. */
  primary: pg.ClientConfig | undefined;
  /** The primary that was found last: another one took over, even if no connection to it is left. */
  last: pg.ClientConfig | undefined;
  /** The newest timeline seen: a primary with an older one was replaced. */
  timeline: number;
  /** The look that is under way. */
  looking: Promise<void> | undefined;
  watching: NodeJS.Timeout | undefined;
}

function nameOf({ host, port }: pg.ClientConfig): string {
  return `${host}:${port}`;
}

/** Ends a connection at once: its server may never answer. */
function cut(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}

function setPrimary(state: State, { address, timeline }: Primary): void {
  const left = [...state.open].filter(([, used]) => used !== address);
  if (state.last !== undefined && state.last !== address) state.moved(nameOf(address));
  state.primary = address;
  state.last = address;
  state.timeline = timeline;
  for (const [client] of left) cut(client);
}

async function look(state: State): Promise<void> {
  const found = await findPrimary(state.addresses);
  if (found === undefined || found.timeline < state.timeline) return;
  if (found.address !== state.primary) setPrimary(state, found);
}

/** Waits for a primary. Those who wait at the same time share each look, and each has its own deadline. */
async function current(state: State): Promise<pg.ClientConfig> {
  for (const began = performance.now(); ; await wait(pauseMs)) {
    if (state.primary !== undefined) return state.primary;
    await (state.looking ??= look(state).finally(() => (state.looking = undefined)));
    if (state.primary !== undefined) return state.primary;
    if (performance.now() - began > state.seekMs) break;
  }
  const names = state.addresses.map(nameOf).join(', ');
  const text = `None of the hosts of DATABASE_URL is a primary (${names}).`;
  // Each further attempt would wait as long again.
  throw withoutRetry(Object.assign(new Error(text), { code: 'ECONNREFUSED' }));
}

/** Looks for a new primary again and again while connections are open: the old one may hang. */
function watch(state: State): void {
  if (state.watching !== undefined || state.open.size === 0) return;
  const again = () => {
    state.watching = undefined;
    watch(state);
  };
  state.watching = setTimeout(() => void look(state).finally(again), watchMs).unref();
}

/**
 * Opens the list of hosts. It asks them nothing until the first connection is opened; while connections are
 * open, it asks all of them every two seconds.
 */
export function openHosts(
  addresses: State['addresses'],
  moved: State['moved'],
  seekMs = usualSeekMs,
): Hosts {
  const state: State = {
    addresses,
    moved,
    seekMs,
    open: new Map(),
    primary: undefined,
    last: undefined,
    timeline: 0,
    looking: undefined,
    watching: undefined,
  };
  return {
    assign: async (client) => {
      const address = await current(state);
      Object.assign(client, { host: address.host, port: address.port });
      state.open.set(client, address);
      watch(state);
      client.once('end', () => state.open.delete(client));
      return () => {
        state.open.delete(client);
        if (state.primary === address) state.primary = undefined;
      };
    },
  };
}
