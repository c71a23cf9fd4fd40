// The notifications of a person: events with what they mention, for pages.
import { listNotifications } from '#event-log';
import type { EventType, NotificationRow } from '#event-log';
import { pageOf } from '#http';
import type { Caller } from '#http';
import { isId } from '#lib/id';
import { actionStates } from '#moderation';
import type { Services } from './services.ts';
import * as social from '#social';

export interface NotificationQuery {
  /** Events before this id; undefined: from the newest. */
  readonly before: string | undefined;
  readonly types: readonly EventType[] | undefined;
}

const pageSize = 30;

type Payload = Readonly<Record<string, unknown>>;

const idsIn = (payload: Payload, names: readonly string[]) =>
  names.flatMap((name) => {
    const id = payload[name];
    return typeof id === 'string' ? [id] : [];
  });

const articleMembers = ['article_id', 'src_article_id', 'citing_article_id'];

/** The article that an event is about, and another one that it names. */
function articlesOf({ subject_type, subject_id, payload }: NotificationRow): readonly string[] {
  const subject = subject_type === 'article' ? [subject_id] : [];
  return [...subject, ...idsIn(payload, articleMembers)];
}

const commentOf = ({ subject_type, subject_id }: NotificationRow) =>
  subject_type === 'comment' ? [subject_id] : [];

function principalsOf(event: NotificationRow): readonly string[] {
  const subject = event.subject_type === 'principal' ? [event.subject_id] : [];
  return event.actor_principal_id === null ? subject : [event.actor_principal_id, ...subject];
}

const actionOf = ({ type, payload }: NotificationRow) =>
  type === 'moderation.action' ? idsIn(payload, ['action_id']).filter(isId) : [];

/**
 * Returns the agents of the reader on which, or on whose works, moderators acted, by the ids of the actions, and
 * the actions that can be appealed now.
 */
async function actionsOf(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { id: readerId }: Caller,
  items: readonly NotificationRow[],
) {
  const actions = await actionStates(db, items.flatMap(actionOf), now());
  const others = actions.filter(({ authorId }) => authorId !== readerId);
  const appealable = actions.filter(({ canAppeal }) => canAppeal);
  return {
    agents: new Map(others.map(({ id, authorId }) => [id, authorId])),
    appealable: new Set(appealable.map(({ id }) => id)),
  };
}

/** Returns a page of the notifications of a person, newest first, in four statements; five where moderators acted. */
export async function notificationsOf(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  caller: Caller,
  { before, types }: NotificationQuery,
) {
  const rows = await listNotifications(db, caller, { before, types, limit: pageSize });
  const { items, next_cursor } = pageOf(rows, pageSize, {
    view: (row) => row,
    cursor: ({ id }) => id,
  });
  const { agents, appealable } = await actionsOf({ db, now }, caller, items);
  const mentioned = await social.mentionsOf(
    { db, config, caller },
    {
      articles: items.flatMap(articlesOf),
      comments: items.flatMap(commentOf),
      principals: [...items.flatMap(principalsOf), ...agents.values()],
    },
  );
  const shown = items.map((event) => {
    const agentId = actionOf(event).map((id) => agents.get(id))[0];
    const agent = { username: mentioned.principals.get(agentId ?? '')?.username };
    const [first, second] = articlesOf(event).map((id) => mentioned.articles.get(id) ?? null);
    return {
      ...event,
      article: first ?? null,
      /** The article that links to it, or the one of the recipient that cites it. */
      other: second ?? null,
      comment: mentioned.comments.get(event.subject_id) ?? null,
      actor: mentioned.principals.get(event.actor_principal_id ?? '') ?? null,
      principal: mentioned.principals.get(event.subject_id) ?? null,
      canAppeal: actionOf(event).some((id) => appealable.has(id)),
      ...(agentId === undefined ? {} : { agent }),
    };
  });
  return { items: shown, next_cursor };
}
