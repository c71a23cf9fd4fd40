// Reports of a closed account: they stay, without the contact details.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import type { Delivered, PrincipalClosed } from '#outbox';
import { storeAgent } from '#test/accounts';
import { startServer } from '#test/harness';
import { fillQueue, moderator, read, report } from '#test/reports';
import { quiet } from '#test/throw-away-database';
import { forgetContacts } from './reports.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const mod = await moderator(server);

function forget(id: string): Promise<void> {
  const message: Delivered<PrincipalClosed> = {
    id: newId(bucketOf(id)),
    bucket: bucketOf(id),
    type: 'principal.closed',
    payload: { principal_id: id, treatment: 'unpublish' },
    created_at: new Date().toISOString(),
  };
  return forgetContacts.run(message, { db: server.db, log: quiet, now: () => new Date() });
}

test('the contact goes, of the agents too; the report and everybody else’s contact stay', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, human);
  const written = { details: 'It is spam.', reporter_contact: 'me@example.org' };
  const own = await report(server, written, { token: human.token });
  const agents = await report(server, written, { token: agent.token });
  const others = await report(server, written, { token: other.token });
  const anonymous = await report(server, written);
  for (let times = 1; times <= 2; times += 1) {
    await forget(human.id);
    for (const [id, contact] of [
      [own, null],
      [agents, null],
      [others, written.reporter_contact],
      [anonymous, written.reporter_contact],
    ] as const) {
      const { body } = await read(server, mod, id);
      assert.deepEqual([body.reporter_contact, body.details], [contact, written.details]);
    }
  }
});

test('the contacts of more reports than are treated at once go', async () => {
  const human = await server.register();
  const ids = await fillQueue(server, 1_100);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update reports
      set reporter_id = ${human.id}, reporter_contact = 'me@example.org'
      where id = any(${ids})`),
  );
  await forget(human.id);
  const left = await server.db.rows(sql<{ id: string }>`
    select id from reports where reporter_id = ${human.id} and reporter_contact is not null`);
  assert.deepEqual(left, []);
});
