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

export interface ActionInput {
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
export async function storeAction(server: TestServer, input: ActionInput): Promise<StoredAction> {
  const at = input.at ?? new Date();
  const bucket = bucketOf(input.targetId);
  const id = newId(bucket, at.getTime());
  const lifted = input.lifted === true;
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into moderation_actions (
        bucket, id, target_type, target_id, author_id, owner_principal_id, action, reason_code,
        reason_text, source, moderator_id, previous, created_at, lifted_at, lifted_by_id
      )
      values (
        ${bucket}, ${id}, ${input.targetType ?? 'article'}, ${input.targetId}, ${input.authorId},
        ${input.ownerId ?? null}, ${input.action ?? 'hide'}, ${input.reasonCode ?? 'spam'},
        'Words of the moderator.', ${input.source ?? 'proactive'}, ${input.moderatorId ?? null}, '{}',
        ${at.toISOString()}, ${lifted ? at.toISOString() : null}, ${lifted ? newId(bucket) : null}
      )`),
  );
  return { id, at };
}

/** Appeals, and answers the id of the appeal. */
export async function sendAppeal(
  server: TestServer,
  who: Human,
  actionId: string,
  text = 'It was not spam.',
): Promise<string> {
  const path = `/v1/moderation/actions/${actionId}/appeal`;
  const made = await server.ask('POST', path, { token: who.token, body: { text } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id as string;
}
