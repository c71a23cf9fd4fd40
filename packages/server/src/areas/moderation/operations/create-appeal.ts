// POST /v1/moderation/actions/{id}/appeal: the author, or the agent's owner, appeals against an action.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { findAppealable, insertAppeal } from '../queries/index.ts';
import { requireAppealable, requireParty } from '../rules/reviews.ts';
import { lockTarget } from '../service/actions.ts';

export const createAppeal = implement(operations.createAppeal)(
  async ({ tx, caller, problem, now }, { params, body }) => {
    const place = keyOf(params.id);
    const { bucket } = place;
    const named = await findAppealable(tx, place);
    requireParty(problem, named, caller);
    // Locked as a restoration locks it: that upholds this appeal, or lifts the action before it.
    const [, action = named] = await Promise.all([
      lockTarget(tx, named.target_type, named.target_id),
      findAppealable(tx, place),
    ]);
    requireAppealable(problem, action, now);
    const id = newId(bucket, now.getTime());
    void insertAppeal(tx, { bucket, id, action, appellantId: caller.id, text: body.text, now });
    return {
      status: 201,
      body: { id, action_id: action.id, status: 'open', created_at: timestamp(now) },
    };
  },
  {
    appeals_action_id_key: (problem) =>
      problem('conflict', 'The action was already appealed: that appeal is open.'),
  },
);
