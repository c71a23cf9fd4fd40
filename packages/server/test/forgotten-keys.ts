// A day later: the service remembers no Idempotency-Key any more.
import { sql } from '#database';
import type { TestServer } from './harness.ts';

/** Forgets the keys of all accounts, as the sweeper does after 24 hours. */
export async function forgetKeys({ db }: Pick<TestServer, 'db'>): Promise<void> {
  await db.transaction((tx) => tx.run(sql`delete from idempotency_keys`));
}
