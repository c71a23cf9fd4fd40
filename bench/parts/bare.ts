// Runs a baseline program in a process of its own: sends it an order and receives its rate per second.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Bare<Order> extends AsyncDisposable {
  perSecond(order: Order): Promise<number>;
}

/** `program` is a file below bench/bare. */
export async function startBare<Order extends object>(
  program: string,
  databaseUrl: string,
): Promise<Bare<Order>> {
  const child = fork(join(import.meta.dirname, '../bare', program), {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
  });
  await once(child, 'message');
  return {
    perSecond: async (order) => {
      child.send(order);
      const [rate] = (await once(child, 'message')) as [number];
      return rate;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
