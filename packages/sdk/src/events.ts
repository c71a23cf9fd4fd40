// events(): the events of a participant as an async iterator that survives temporary failures.
import type { Page } from './call-options.ts';
import type { EventsOptions, EventStream } from './client-type.ts';
import { pause } from './retry.ts';
import type { Event } from './types.ts';

type Input = Readonly<Record<string, unknown>>;
export type Poll = (input: Input, signal: AbortSignal | undefined) => Promise<Page<Event>>;

const perPage = 100;
/** Seconds. */
export const longestWait = 25;
/**
 * A service that is stopping, or that has too many waiting polls, responds immediately. The client must not
 * poll it at full speed.
 */
const emptyPollMs = 1_000;

interface Position {
  cursor: string | undefined;
}

/**
 * Returns the milliseconds to wait, so that a poll that returned nothing early is not repeated within a
 * second of its start.
 */
function restAfter(startedAt: number, found: number): number {
  if (found > 0) return 0;
  const rest = emptyPollMs - (performance.now() - startedAt);
  return rest > 0 ? rest + Math.random() * 100 : 0;
}

async function* follow(
  poll: Poll,
  options: EventsOptions,
  position: Position,
): AsyncGenerator<Event, void, undefined> {
  const { types, signal, principal_id, wait = longestWait } = options;
  const type = types?.length === 1 ? types[0] : undefined;
  const signals = signal === undefined ? [] : [signal];
  for (;;) {
    const startedAt = performance.now();
    const since = position.cursor;
    const { items } = await poll({ since, type, principal_id, wait, limit: perPage }, signal);
    for (const event of items) {
      position.cursor = event.id;
      if (types === undefined || types.includes(event.type)) yield event;
    }
    const rest = restAfter(startedAt, items.length);
    if (rest > 0) await pause(rest, signals);
  }
}

/**
 * Returns the events after `since`, in order, each once: every poll continues after the last event received.
 */
export function startEvents(poll: Poll, options: EventsOptions): EventStream {
  const position: Position = { cursor: options.since };
  const events = follow(poll, options, position);
  return Object.defineProperty(events, 'cursor', { get: () => position.cursor }) as EventStream;
}
