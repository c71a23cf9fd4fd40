// Runs the messages of one job: all at once and, if that fails, one by one.
import { isTimeout, sql } from '#database';
import type { Delivered } from './messages.ts';
import { storable } from './storable-error.ts';
import type { Subscriber, SubscriberServices } from './subscriber.ts';

/** The number of messages of one job that may time out, each after some seconds. */
const timeoutsMax = 2;

function errorOf(run: Promise<void>): Promise<Error | undefined> {
  return run.then(() => undefined, storable);
}

/** In another order each time, so that those that time out do not stand before the same others in each attempt. */
function inAnyOrder<T>(items: readonly T[]): readonly T[] {
  const places = new Map(items.map((item) => [item, Math.random()]));
  return items.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

/**
 * Runs each message, and returns the errors. It ends after a few timeouts: a row that another session locks would
 * otherwise hold this job for minutes, and such jobs all places of the queue. What was not tried waits for the next
 * attempt.
 */
async function runEach(
  subscriber: Subscriber,
  messages: readonly Delivered[],
  services: SubscriberServices,
): Promise<ReadonlyMap<Delivered, Error>> {
  const errors = new Map<Delivered, Error>();
  let timeouts = 0;
  for (const message of inAnyOrder(messages)) {
    const error =
      timeouts < timeoutsMax
        ? await errorOf(subscriber.run(message, services))
        : new Error('Not tried: others of this job timed out.');
    if (error === undefined) continue;
    errors.set(message, error);
    if (isTimeout(error)) timeouts += 1;
  }
  return errors;
}

/**
 * Runs the messages of one job. Returns a promise for each message; the queue keeps the rejected ones in the job for
 * its next attempt.
 */
export async function runBatch(
  subscriber: Subscriber,
  messages: readonly Delivered[],
  services: SubscriberServices,
): Promise<readonly Promise<void>[]> {
  const { many } = subscriber;
  const failed =
    many === undefined || messages.length === 1
      ? true
      : await errorOf(many.run(messages, services));
  if (failed === undefined) return messages.map(() => Promise.resolve());
  // While the database is down no message is at fault: this throws, and the whole job is retried.
  await services.db.first(sql<{ one: number }>`select 1 as one`);
  const errors = await runEach(subscriber, messages, services);
  return messages.map((message) => {
    const error = errors.get(message);
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  });
}
