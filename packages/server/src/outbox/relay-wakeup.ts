// Notifies the relay of another process of a commit, at a limited rate.
import { sql } from '#database';
import type { Connection } from '#database';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { Ask } from './dedicated-connection.ts';
import type { Log } from './subscriber.ts';
import { throttledNotify } from './throttled-notify.ts';

export async function listenForWakeups(ask: Ask): Promise<void> {
  await ask(sql`listen colophon_outbox`);
}

export interface RelayWakeup extends AsyncDisposable {
  /** Call it after a commit that wrote to the outbox; it sends at most one NOTIFY in 50 ms. */
  hint(): void;
  stop(): Promise<void>;
}

/**
 * Starts the wake-up for processes that serve requests and run no pipeline. A lost hint costs at most a
 * second, because the relay polls.
 */
export function startRelayWakeup(options: {
  readonly connection: Connection;
  readonly log: Log;
}): RelayWakeup {
  const link = openDedicatedConnection(options);
  const hints = throttledNotify(link, {
    channel: 'colophon_outbox',
    restMs: 50,
    log: options.log,
    payload: () => '',
  });
  const stop = async () => {
    hints.flush();
    await link[Symbol.asyncDispose]();
  };
  return { hint: hints.notify, stop, [Symbol.asyncDispose]: stop };
}
