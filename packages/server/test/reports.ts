// Reports of a test, filed through the API, and moderators who work on them.
import assert from 'node:assert/strict';
import { scopes } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { storeToken } from './accounts.ts';
import type { Asked, Human, Response, TestServer } from './harness.ts';

type Members = Readonly<Record<string, unknown>>;

/** Asks for a report, on an object that is not there when none is named. */
export function ask(
  server: TestServer,
  members: Members = {},
  asked: Omit<Asked, 'body'> = {},
): Promise<Response> {
  const body = { target_type: 'article', target_id: newId(7), category: 'spam', ...members };
  return server.ask('POST', '/v1/reports', { ...asked, body });
}

/** The id of a new report. */
export async function report(
  server: TestServer,
  members: Members = {},
  asked: { readonly token?: string } = {},
): Promise<string> {
  const made = await ask(server, members, asked);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id as string;
}

/** A person whose token carries every scope. */
export async function moderator(server: TestServer): Promise<Human> {
  const human = await server.register();
  return { ...human, token: await storeToken(server, human.id, scopes) };
}

/** Asks for a report as a moderator reads it. */
export function read(server: TestServer, by: Pick<Human, 'token'>, id: string): Promise<Response> {
  return server.ask('GET', `/v1/moderation/reports/${id}`, { token: by.token });
}

export function review(
  server: TestServer,
  by: Pick<Human, 'token'>,
  id: string,
  body: Members,
): Promise<Response> {
  return server.ask('POST', `/v1/moderation/reports/${id}/review`, { token: by.token, body });
}

/** Lets so many hours pass for the claim of a report. */
export async function age(server: TestServer, id: string, hours: number): Promise<void> {
  await server.db.transaction(async (tx) => {
    const row = await tx.first(sql<{ claimed_at: string }>`
      select claimed_at
      from reports
      where bucket = ${bucketOf(id)} and id = ${id}`);
    const earlier = Date.parse(row?.claimed_at ?? '') - hours * 3_600_000;
    await tx.run(sql`
      update reports
      set claimed_at = ${new Date(earlier).toISOString()}
      where bucket = ${bucketOf(id)} and id = ${id}`);
  });
}

interface Change {
  readonly from_status: string | null;
  readonly to_status: string;
  readonly moderator_id: string | null;
  readonly resolution: string | null;
  readonly action_id: string | null;
}

/** The history of a report, oldest first. */
export function changesOf(server: TestServer, id: string): Promise<readonly Change[]> {
  return server.db.rows(sql<Change>`
    select from_status, to_status, moderator_id, resolution, action_id
    from report_changes
    where bucket = ${bucketOf(id)} and report_id = ${id}
    order by id`);
}

interface Audited {
  readonly actor: string;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly details: Members;
}

/** What the audit log says about a report, oldest first. */
export function auditOf(server: TestServer, id: string): Promise<readonly Audited[]> {
  return server.db.rows(sql<Audited>`
    select actor, action, target_type, target_id, details
    from audit_log
    where details ->> 'report_id' = ${id}
    order by number`);
}

/** Files reports past the API, in the order of the ids that are answered. */
export async function fillQueue(server: TestServer, count: number): Promise<readonly string[]> {
  const reports = Array.from({ length: count }, (_, n) => {
    const target = newId((n * 37) % 4096);
    return { id: newId(bucketOf(target)), target, change: newId(bucketOf(target)) };
  });
  const buckets = reports.map(({ id }) => bucketOf(id));
  await server.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into reports (bucket, id, target_type, target_id, category, created_at)
      select bucket, id, 'article', target, 'spam', now()
      from unnest(
        ${buckets}::smallint[], ${reports.map(({ id }) => id)}::text[],
        ${reports.map(({ target }) => target)}::text[]
      ) as filed (bucket, id, target)`);
    await tx.run(sql`
      insert into report_changes (
        bucket, id, report_id, target_type, target_id, to_status, created_at
      )
      select bucket, change, id, 'article', target, 'open', now()
      from unnest(
        ${buckets}::smallint[], ${reports.map(({ id }) => id)}::text[],
        ${reports.map(({ target }) => target)}::text[], ${reports.map(({ change }) => change)}::text[]
      ) as filed (bucket, id, target, change)`);
  });
  return reports.map(({ id }) => id);
}
