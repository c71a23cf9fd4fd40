// Notifies waiting requests of new events, in this process and in the others.
import { randomUUID } from 'node:crypto';
import { namedIds, sql } from '#database';
import type { Connection, Db } from '#database';
import { openDedicatedConnection, throttledNotify } from '#outbox';
import type { Log } from '#outbox';
import { openEventWaiters } from './event-waiters.ts';
import type { Waiter } from './event-waiters.ts';

export interface EventNotifier extends AsyncDisposable {
  /** Call it after a commit, with the recipients of its events: `recipientsOf(tx)`. */
  announce(recipientIds: readonly string[]): void;
  /** Waits for events of a recipient; `gone` aborts when the client has disconnected. */
  listen(recipientId: string, gone?: AbortSignal): Waiter;
  /** Returns the number of waiters in this process. */
  waiting(): number;
  /** Ends every wait; each request answers with what it has. */
  release(): void;
}

export interface EventNotifierOptions {
  readonly connection: Connection;
  readonly db: Db;
  readonly log: Log;
}

/** A NOTIFY carries up to 8,000 bytes; with more names than this, every process checks its own waiters. */
const namesMax = 250;
const checkMs = 1_000;
const checkedAtOnce = 1_000;

interface Count {
  readonly principal_id: string;
  readonly number: number;
}

function listCounts(db: Db, ids: readonly string[]): Promise<readonly Count[]> {
  return db.rows(sql<Count>`
    select c.principal_id, c.number
    from ${namedIds(ids)}
    join event_counters c on c.bucket = named.bucket and c.principal_id = named.id`);
}

/**
 * Notifies the other processes. A lost hint delays an event by at most a second, until the periodic check
 * finds it.
 */
function openHints(
  options: EventNotifierOptions,
  onHint: (ids: readonly string[] | 'anybody') => void,
) {
  const self = randomUUID();
  const names = new Set<string>();
  const link = openDedicatedConnection({
    ...options,
    name: 'events',
    opened: async (ask) => void (await ask(sql`listen colophon_events`)),
    notified: (payload) => {
      const [sender, ...ids] = (payload ?? '').split(' ');
      if (sender !== self) onHint(ids.length === 0 ? 'anybody' : ids);
    },
  });

  const hints = throttledNotify(link, {
    channel: 'colophon_events',
    restMs: 20,
    log: options.log,
    payload: () => {
      const said = names.size > namesMax ? [] : [...names];
      names.clear();
      return [self, ...said].join(' ');
    },
  });

  return {
    say: (ids: readonly string[]) => {
      for (const id of ids) names.add(id);
      hints.notify();
    },
    stop: async () => {
      hints.flush();
      await link[Symbol.asyncDispose]();
    },
  };
}

/**
 * Opens the notifier, with one connection for all waiters in this process. A waiter does not occupy a
 * connection. Once a second, one statement reads the counters of all recipients, so that an event is found
 * even if its hint was lost.
 */
export function openEventNotifier(options: EventNotifierOptions): EventNotifier {
  const waiting = openEventWaiters();
  let known = new Map<string, number>();
  let checking: Promise<void> | undefined;

  /**
   * Wakes every recipient whose counter changed. A new recipient is woken once, because its first count
   * does not show what happened before it.
   */
  async function check(): Promise<void> {
    const ids = waiting.recipients();
    const found = new Map<string, number>();
    for (let from = 0; from < ids.length; from += checkedAtOnce) {
      const some = ids.slice(from, from + checkedAtOnce);
      for (const id of some) found.set(id, 0);
      for (const row of await listCounts(options.db, some)) found.set(row.principal_id, row.number);
    }
    for (const [id, number] of found) if (known.get(id) !== number) waiting.wake(id);
    known = found;
  }

  function look(): void {
    checking ??= check()
      .catch((error: Error) =>
        options.log.debug(
          { err: error },
          'The event counters could not be read; they are read again within a second.',
        ),
      )
      .finally(() => (checking = undefined));
  }

  const hints = openHints(options, (ids) => {
    if (ids === 'anybody') look();
    else for (const id of ids) waiting.wake(id);
  });
  const timer = setInterval(() => {
    if (waiting.count() > 0) look();
    else known.clear();
  }, checkMs);

  return {
    announce: (ids) => {
      if (ids.length === 0) return;
      for (const id of ids) waiting.wake(id);
      hints.say(ids);
    },
    listen: waiting.add,
    waiting: waiting.count,
    release: waiting.end,
    [Symbol.asyncDispose]: async () => {
      waiting.end();
      clearInterval(timer);
      await checking;
      await hints.stop();
    },
  };
}
