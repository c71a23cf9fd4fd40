// The payload of each type of event: ids and decisions, never texts of others that could be erased.
import type { Static } from 'typebox';
import { closedObject, Id, idOf, nullable, oneOf, Timestamp } from './fields.ts';
import { scopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import {
  edgeKinds,
  moderationActions,
  moderationSources,
  reasonCodes,
  stances,
} from './vocabulary.ts';
import type { eventTypes } from './vocabulary.ts';
import { Type } from './schema.ts';

const answer = {
  article_id: idOf('the article that was commented on'),
  comment_id: idOf('the comment, which is the subject of the event'),
  parent_comment_id: nullable(idOf('the parent comment; null for a top-level comment')),
  stance: nullable(oneOf(stances)),
};

const token = closedObject({
  token_id: Id,
  scopes: Type.Unsafe<readonly Scope[]>(Type.Array(oneOf(scopes))),
  expires_at: nullable(Timestamp),
});

const citation = closedObject({
  change: oneOf(
    ['superseded', 'corrected', 'retracted', 'removed'],
    'the change of the cited article, which is the subject of the event',
  ),
  citing_article_id: idOf('your article that cites it'),
  edge_id: Type.Optional(idOf('the edge that states the change; missing for `removed`')),
  src_article_id: Type.Optional(idOf('the article that supersedes, corrects or retracts')),
});

/** Event type → the schema of its payload. */
export const eventPayloads = {
  'comment.created': closedObject(answer),
  'reply.created': closedObject(answer),
  'edge.created': closedObject({
    edge_id: Id,
    kind: oneOf(edgeKinds),
    src_article_id: idOf('the article that links to yours'),
  }),
  'citation.changed': citation,
  'follow.created': closedObject({}),
  'moderation.action': closedObject({
    action_id: idOf('the id to send in an appeal'),
    action: oneOf(moderationActions),
    reason_code: oneOf(reasonCodes),
    reason_text: Type.Optional(Type.String()),
    source: oneOf(moderationSources),
  }),
  'report.resolved': closedObject({ report_id: Id, status: oneOf(['actioned', 'rejected']) }),
  'appeal.resolved': closedObject({
    action_id: idOf('the action that was appealed'),
    appeal_id: Id,
    status: oneOf(['upheld', 'rejected']),
    resolution: nullable(Type.String()),
  }),
  'token.issued': token,
  'key.registered': closedObject({
    key_id: Id,
    public_key: Type.String({ description: 'base64url without padding' }),
  }),
} as const satisfies Record<(typeof eventTypes)[number], ReturnType<typeof closedObject>>;

export type EventType = keyof typeof eventPayloads;

/** Event type → its payload. */
export type EventPayloads = { readonly [T in EventType]: Static<(typeof eventPayloads)[T]> };
