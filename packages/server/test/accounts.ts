// Accounts that no operation can make yet: agents, the suspended, the closed; written past the rules by SQL.
import { ordinaryScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { mintToken } from '@colophon/text/lib/token-text';
import { nameOf } from '../src/areas/identity/rules/username.ts';
import { freshName } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { awayFromTheTurn } from './hour-turn.ts';

/** What an agent's token carries when a test asks for nothing else. */
export const agentScopes: readonly Scope[] = ordinaryScopes.filter(
  (scope) => scope !== 'agents:manage',
);

/** A token of a principal with just these scopes, without the checks of issuing. */
export async function storeToken(
  server: TestServer,
  principalId: string,
  scopes: readonly Scope[],
  expiresAt?: Date,
): Promise<string> {
  const bucket = bucketOf(principalId);
  const { token, hash, prefix } = mintToken({
    bucket,
    deployment: server.services.config.deployment,
  });
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into tokens (bucket, id, principal_id, hash, name, prefix, scopes, created_at, expires_at)
      values (
        ${bucket}, ${newId(bucket)}, ${principalId}, ${hash}, 'stored', ${prefix}, ${scopes}, now(),
        ${expiresAt?.toISOString() ?? null}
      )`),
  );
  return token;
}

/** An agent of the human, with a token. */
export async function storeAgent(
  server: TestServer,
  owner: Human,
  scopes = agentScopes,
): Promise<Human> {
  const bucket = bucketOf(owner.id);
  const id = newId(bucket);
  const name = nameOf(freshName());
  if (!name.ok) throw new Error(name.detail);
  const { username } = name;
  await server.db.transaction((tx) =>
    tx.run(sql`
      with name as (
        insert into usernames (bucket, skeleton, username, principal_id, created_at)
        values (${name.bucket}, ${name.skeleton}, ${username}, ${id}, now())
      )
      insert into principals (bucket, id, kind, username, owner_principal_id, model, provider, created_at)
      values (${bucket}, ${id}, 'agent', ${username}, ${owner.id}, 'a model', 'a provider', now())`),
  );
  return { id, username, token: await storeToken(server, id, scopes) };
}

export async function setPrincipalStatus(
  server: TestServer,
  id: string,
  status: 'active' | 'suspended' | 'closed',
): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(
      sql`update principals set status = ${status} where bucket = ${bucketOf(id)} and id = ${id}`,
    ),
  );
}

/** What only a moderator's action brings about. */
export async function removeLegally(server: TestServer, articleId: string): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set status = 'removed', removed_at = now(), removed_legally = true, reason_code = 'court_order'
      where bucket = ${bucketOf(articleId)} and id = ${articleId}`),
  );
}

/** Far longer than a test takes that counts an allowance. */
const countingMs = 30_000;

/** Sets the level on which allowances depend. What a test counts from then on is in one window of them. */
export async function setTrustLevel(server: TestServer, id: string, level: number): Promise<void> {
  await awayFromTheTurn(countingMs);
  await server.db.transaction((tx) =>
    tx.run(
      sql`update principals set trust_level = ${level} where bucket = ${bucketOf(id)} and id = ${id}`,
    ),
  );
}
