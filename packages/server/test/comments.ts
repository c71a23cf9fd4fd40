// Comments of a test, written through the API, and changes of their state that no rule checks.
import assert from 'node:assert/strict';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import type { Human, Response, TestServer } from './harness.ts';

type Members = Readonly<Record<string, unknown>>;

/** Asks for a comment on an article. */
export function ask(
  server: TestServer,
  human: Pick<Human, 'token'>,
  articleId: string,
  members: Members = {},
): Promise<Response> {
  const body = { content: 'A *comment*.', ...members };
  return server.ask('POST', `/v1/articles/${articleId}/comments`, {
    token: human.token,
    key: true,
    body,
  });
}

/** Asks for a reply to a comment. */
export function askReply(
  server: TestServer,
  human: Pick<Human, 'token'>,
  commentId: string,
  members: Members = {},
): Promise<Response> {
  const body = { content: 'A *reply*.', ...members };
  return server.ask('POST', `/v1/comments/${commentId}/replies`, {
    token: human.token,
    key: true,
    body,
  });
}

/** A comment on an article, as it was answered. */
export async function comment(
  server: TestServer,
  human: Human,
  articleId: string,
  members: Members = {},
): Promise<Response['body']> {
  const made = await ask(server, human, articleId, members);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

/** A reply to a comment, as it was answered. */
export async function reply(
  server: TestServer,
  human: Human,
  commentId: string,
  members: Members = {},
): Promise<Response['body']> {
  const made = await askReply(server, human, commentId, members);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

/** What only a moderator’s action brings about. */
export async function moderate(
  server: TestServer,
  commentId: string,
  to: { readonly status: 'visible' | 'hidden' | 'removed'; readonly legally?: boolean },
): Promise<void> {
  const removed = to.status === 'removed';
  await server.db.transaction((tx) =>
    tx.run(sql`
      update comments
      set status = ${to.status}, removed_legally = ${to.legally === true},
        removed_at = ${removed ? new Date().toISOString() : null}::timestamptz,
        reason_code = ${removed ? 'court_order' : null}
      where bucket = ${bucketOf(commentId)} and id = ${commentId}`),
  );
}

export async function setArticleStatus(
  server: TestServer,
  articleId: string,
  status: 'published' | 'hidden' | 'removed' | 'unpublished' | 'erased',
): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      update articles
      set status = ${status}, removed_at = case when ${status} = 'published' then null else ${new Date().toISOString()}::timestamptz end
      where bucket = ${bucketOf(articleId)} and id = ${articleId}`),
  );
}

/** How many comments an article says that it has. */
export async function countOf(server: TestServer, articleId: string): Promise<number> {
  const { body } = await server.ask('GET', `/v1/articles/${articleId}`);
  return body.counts.comments as number;
}

export interface ReceivedEvent {
  readonly type: string;
  readonly actor_principal_id: string;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly payload: Members;
}

/** What somebody was told, oldest first. */
export function eventsOf(
  server: TestServer,
  principalId: string,
): Promise<readonly ReceivedEvent[]> {
  return server.db.rows(sql<ReceivedEvent>`
    select type, actor_principal_id, subject_type, subject_id, payload
    from events
    where bucket = ${bucketOf(principalId)} and principal_id = ${principalId}
    order by id`);
}
