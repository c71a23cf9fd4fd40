// Notifies the relay of another process of a commit, at a limited rate.
import type pg from 'pg';
import { sql } from '#database';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { Ask } from './dedicated-connection.ts';
import type { Log } from './messages.ts';

const restMs = 50;

export async function listenForWakeups(ask: Ask): Promise<void> {
  await ask(sql`listen colophon_outbox`);
}

export interface RelayWakeup extends AsyncDisposable {
  /** Call it after a commit that wrote to the outbox; it sends at most one NOTIFY in 50 ms. */
  hint(): void;
  stop(): Promise<void>;
}

/**
 * Starts the wake-up for processes that serve requests and run no pipeline. A NOTIFY inside every writing
 * transaction would halve the rate of writes; a lost hint costs at most a second, because the relay polls.
 */
export function startRelayWakeup(options: {
  readonly connection: pg.ClientConfig;
  readonly log: Log;
}): RelayWakeup {
  const link = openDedicatedConnection(options);
  let earliest = 0;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    timer = undefined;
    earliest = performance.now() + restMs;
    const sent = link.alone((ask) => ask(sql`select pg_notify('colophon_outbox', '')`));
    sent.catch((error: Error) =>
      options.log.debug({ err: error }, 'A hint to the relay was not sent.'),
    );
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    await link[Symbol.asyncDispose]();
  }

  return {
    hint: () => {
      if (timer !== undefined) return;
      const rest = earliest - performance.now();
      if (rest <= 0) send();
      else timer = setTimeout(send, rest);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
