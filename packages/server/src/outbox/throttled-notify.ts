// Sends NOTIFY after commits, at a limited rate.
import { sql } from '#database';
import type { DedicatedConnection } from './dedicated-connection.ts';
import type { Log } from './subscriber.ts';

export interface ThrottledNotifyOptions {
  readonly channel: string;
  /** A process sends at most one NOTIFY in this time. */
  readonly restMs: number;
  readonly log: Log;
  /** Returns the payload, when the NOTIFY is sent. */
  payload(): string;
}

export interface ThrottledNotify {
  /** Sends a NOTIFY now, or when the rest after the last one has passed. */
  notify(): void;
  /** Sends what waits. */
  flush(): void;
}

/**
 * A NOTIFY inside every writing transaction would halve the rate of writes. It may be lost, so every
 * listener also polls.
 */
export function throttledNotify(
  link: DedicatedConnection,
  { channel, restMs, log, payload }: ThrottledNotifyOptions,
): ThrottledNotify {
  let earliest = 0;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    timer = undefined;
    earliest = performance.now() + restMs;
    const text = payload();
    const sent = link.alone((ask) => ask(sql`select pg_notify(${channel}, ${text})`));
    sent.catch((error: Error) =>
      log.debug(
        { err: error, channel },
        'A NOTIFY could not be sent; its listeners look for work within a second anyway.',
      ),
    );
  }

  return {
    notify: () => {
      if (timer !== undefined) return;
      const rest = earliest - performance.now();
      if (rest <= 0) send();
      else timer = setTimeout(send, rest);
    },
    flush: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      send();
    },
  };
}
