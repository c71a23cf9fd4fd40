// The subscriptions of one connection: one watch of the caller’s events while there is at least one.
import { isProblem } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { isJSONRPCRequest, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { protocolErrorOf } from './failures.ts';
import { isWatchable } from './resources.ts';
import { startWatch } from './watch.ts';
import type { Watch } from './watch.ts';

/** A caller that wants more subscribes to its events. */
const maxAddresses = 1000;

export interface Subscriptions {
  /** @throws ProtocolError for other addresses, and with the problem if the caller cannot read events */
  add(key: unknown, uris: readonly string[]): Promise<void>;
  remove(key: unknown): void;
  has(uri: string): boolean;
  stop(): void;
}

export interface Listen {
  readonly id: string | number;
  readonly uris: readonly string[];
}

/** Returns what a subscriptions/listen request names; undefined for other messages, and for no address. */
export function listenedBy(message: JSONRPCMessage): Listen | undefined {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return undefined;
  const { notifications } = (message.params ?? {}) as {
    readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
  };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) && uris.length > 0 ? { id: message.id, uris } : undefined;
}

function refusalOf(error: unknown): unknown {
  return isProblem(error) ? protocolErrorOf(error) : error;
}

function checkUris(uris: readonly string[], before: number): void {
  if (!uris.every(isWatchable))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Subscribe to colophon://events, or to an article as colophon://article/{id}.',
    );
  if (before + uris.length > maxAddresses)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There are too many subscriptions.');
}

/** Reports every resource that an event changes while there is a subscription, whatever its address. */
export function createSubscriptions(
  client: Client,
  report: (uri: string) => void,
  onError: (error: unknown) => void,
): Subscriptions {
  const added = new Map<unknown, readonly string[]>();
  let watch: Promise<Watch> | undefined;
  const uris = () => [...added.values()].flat();
  const stop = () => {
    const running = watch;
    added.clear();
    watch = undefined;
    running?.then((one) => one.stop()).catch(() => undefined);
  };
  const begin = async () => {
    const started = await startWatch(client, report);
    started.ended.catch(onError);
    return started;
  };
  const add: Subscriptions['add'] = async (key, more) => {
    checkUris(more, uris().length);
    added.set(key, more);
    watch ??= begin();
    try {
      await watch;
    } catch (error) {
      stop();
      throw refusalOf(error);
    }
  };
  const remove = (key: unknown) => {
    if (added.delete(key) && added.size === 0) stop();
  };
  return { add, remove, has: (uri) => uris().includes(uri), stop };
}
