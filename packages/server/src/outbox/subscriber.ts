// What runs when a message arrives or by the clock: subscribers, recurring jobs, and what they may use.
import type { Database } from '#database';
import type { Message, Delivered } from './messages.ts';

/** The logger of the outbox. A pino logger fits. */
export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** The services that a subscriber and a recurring job may use. */
export interface SubscriberServices {
  readonly db: Database;
  readonly log: Log;
  now(): Date;
}

/**
 * Which of the ready jobs run first: `urgent` for what was promised or is expected at once, `normal` for
 * what readers see, `low` for what crawlers read, `background` for what only orders lists, `idle` for what
 * runs when nothing else waits.
 */
export type Priority = 'urgent' | 'normal' | 'low' | 'background' | 'idle';

/** A class of slow work. Jobs that wait in one lane do not delay those of another. */
export type Lane = 'decode' | 'delete' | 'detect' | 'draw' | 'export' | 'index' | 'reindex';

/**
 * What happens when a message of `type` arrives. It runs at least once, in any order, possibly twice at the
 * same time, so it must be idempotent; if it throws, it is retried. Equal waiting messages become one, so
 * it must read the present state. `name` is unique per type and must not change: waiting jobs are found by
 * it.
 */
export interface Subscriber<M extends Message = Message> {
  readonly type: M['type'];
  readonly name: string;
  /** `normal` by default. */
  readonly priority?: Priority;
  /**
   * Runs one job of this lane at a time in a process: slow jobs would otherwise occupy every place of the
   * queue.
   */
  readonly alone?: Lane;
  run(message: Delivered<M>, services: SubscriberServices): Promise<void>;
  /**
   * Runs several messages in one job. If it throws, `run` is called for each message, so that a message
   * that fails does not block the others.
   */
  readonly many?: {
    /** The maximum number of messages in one job. */
    readonly atOnce: number;
    run(messages: readonly Delivered<M>[], services: SubscriberServices): Promise<void>;
  };
}

/**
 * A recurring job. Times are UTC. Its next run waits for the end of the one before it, on any host, and runs that are
 * missed meanwhile become one. Two runs can only meet if a worker that is alive lost its liveness lock, or if a run
 * lasts for more than four hours, after which the library takes its worker for dead.
 */
export type Recurring = {
  readonly name: string;
  run(services: SubscriberServices): Promise<void>;
} & ({ readonly everyMinutes: number } | { readonly cron: string });
