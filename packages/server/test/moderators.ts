// Moderators of a test, and what they do through the API.
import assert from 'node:assert/strict';
import { ordinaryScopes } from '@colophon/contract';
import type { ModerationAction, ModerationSource, TargetType } from '@colophon/contract';
import { sql } from '#database';
import { storeToken } from './accounts.ts';
import type { Asked, Human, Response, TestServer } from './harness.ts';

/** A person who may moderate. */
export async function aModerator(server: TestServer): Promise<Human> {
  const human = await server.register();
  const token = await storeToken(server, human.id, [...ordinaryScopes, 'admin:moderate']);
  return { ...human, token };
}

export interface Input {
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: ModerationAction;
  readonly reason_code?: string;
  readonly reason_text?: string | null;
  readonly source?: ModerationSource;
  readonly report_id?: string | null;
  readonly all_reports?: boolean;
}

/** A fresh article of a fresh author, and the input of an action that hides it. */
export async function anArticle(
  server: TestServer,
): Promise<{ readonly author: Human; readonly input: Input }> {
  const author = await server.register();
  const { id } = await server.published(author);
  return { author, input: { target_type: 'article', target_id: id, action: 'hide' } };
}

interface Act {
  readonly actor: string;
  readonly action: string;
  readonly target_type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the audit log says about a target, oldest first. */
export function actsOn(server: TestServer, targetId: string): Promise<readonly Act[]> {
  return server.db.rows(sql<Act>`
    select actor, action, target_type, details
    from audit_log
    where bucket = 0 and target_id = ${targetId} and action <> 'read'
    order by number`);
}

/** Asks for an action; for spam, of the moderator's own accord, unless the input says otherwise. */
export function askAct(
  server: TestServer,
  moderator: Pick<Human, 'token'>,
  input: Input,
  asked: Asked = {},
): Promise<Response> {
  const body = { reason_code: 'spam', source: 'proactive', ...input };
  return server.ask('POST', '/v1/moderation/actions', {
    token: moderator.token,
    key: true,
    body,
    ...asked,
  });
}

/** The same, and it is done; answers the action. */
export async function act(
  server: TestServer,
  moderator: Pick<Human, 'token'>,
  input: Input,
): Promise<Response['body']> {
  const done = await askAct(server, moderator, input);
  assert.equal(done.status, 201, JSON.stringify(done.body));
  return done.body;
}
