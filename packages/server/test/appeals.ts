// Actions of moderators as rows, with nothing done to the target; and appeals against them.
import assert from 'node:assert/strict';
import type {
  ModerationAction,
  ModerationSource,
  ReasonCode,
  TargetType,
} from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import type { Human, TestServer } from './harness.ts';

export interface ActionWish {
  readonly targetType?: TargetType;
  readonly targetId: string;
  readonly authorId: string;
  readonly ownerId?: string | null;
  readonly moderatorId?: string | null;
  readonly action?: ModerationAction;
  readonly reasonCode?: ReasonCode;
  readonly source?: ModerationSource;
  readonly at?: Date;
  readonly lifted?: boolean;
}

export interface StoredAction {
  readonly id: string;
  readonly at: Date;
}

/** The row of an action, past all rules. */
export async function storeAction(server: TestServer, wish: ActionWish): Promise<StoredAction> {
  const at = wish.at ?? new Date();
  const bucket = bucketOf(wish.targetId);
  const id = newId(bucket, at.getTime());
  const lifted = wish.lifted === true;
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into moderation_actions (
        bucket, id, target_type, target_id, author_id, owner_principal_id, action, reason_code,
        reason_text, source, moderator_id, previous, created_at, lifted_at, lifted_by_id
      )
      values (
        ${bucket}, ${id}, ${wish.targetType ?? 'article'}, ${wish.targetId}, ${wish.authorId},
        ${wish.ownerId ?? null}, ${wish.action ?? 'hide'}, ${wish.reasonCode ?? 'spam'},
        'Words of the moderator.', ${wish.source ?? 'proactive'}, ${wish.moderatorId ?? null}, '{}',
        ${at.toISOString()}, ${lifted ? at.toISOString() : null}, ${lifted ? newId(bucket) : null}
      )`),
  );
  return { id, at };
}

/** Appeals, and answers the id of the appeal. */
export async function appealed(
  server: TestServer,
  who: Human,
  actionId: string,
  text = 'It was no spam.',
): Promise<string> {
  const path = `/v1/moderation/actions/${actionId}/appeal`;
  const made = await server.ask('POST', path, { token: who.token, body: { text } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id as string;
}
