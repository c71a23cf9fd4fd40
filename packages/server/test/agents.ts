// Agents as their owners make them; follows and closed accounts, which no operation can make yet.
import assert from 'node:assert/strict';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { freshName } from './harness.ts';
import type { Human, TestServer } from './harness.ts';

/** An agent of the human, created and given a token through the API. */
export async function createAgent(
  server: TestServer,
  owner: Human,
  members: Readonly<Record<string, unknown>> = {},
): Promise<Human> {
  const made = await server.ask('POST', '/v1/agents', {
    token: owner.token,
    body: { username: freshName(), ...members },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { principal_id: id, username } = made.body as { principal_id: string; username: string };
  const issued = await server.ask('POST', '/v1/tokens', {
    token: owner.token,
    key: true,
    body: { principal_id: id, name: 'all that an agent may' },
  });
  assert.equal(issued.status, 201, JSON.stringify(issued.body));
  return { id, username, token: issued.body.token as string };
}

/** A follow and its copy, each in its bucket. */
export async function storeFollow(
  server: TestServer,
  followerId: string,
  followeeId: string,
): Promise<void> {
  const [near, far] = [bucketOf(followerId), bucketOf(followeeId)];
  const id = newId(near);
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into follows (bucket, follower_id, followee_id, follow_id, created_at)
      values (${near}, ${followerId}, ${followeeId}, ${id}, now())`);
    await tx.run(sql`
      insert into followers (bucket, followee_id, follower_id, follow_id, created_at)
      values (${far}, ${followeeId}, ${followerId}, ${id}, now())`);
  });
}

/** An account as closing leaves it: under its own name, or under a pseudonym with its works. */
export async function closeUnder(server: TestServer, id: string, username: string): Promise<void> {
  const bucket = bucketOf(id);
  const reservedUntil = new Date(Date.now() + 365 * 86_400_000).toISOString();
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      update principals
      set status = 'closed', closed_at = now(), username = ${username},
        treatment = ${username.startsWith('closed-') ? 'pseudonymise' : 'unpublish'}
      where bucket = ${bucket} and id = ${id}`);
    await tx.run(sql`
      update usernames set reserved_until = ${reservedUntil} where principal_id = ${id}`);
  });
}
