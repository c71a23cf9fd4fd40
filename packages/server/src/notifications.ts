// The notifications of a person: events with what they mention, for pages.
import { listNotifications } from '#event-log';
import type { EventType, NotificationRow } from '#event-log';
import { pageOf } from '#http';
import type { Caller } from '#http';
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

/** Returns a page of the notifications of a person, newest first, in four statements. */
export async function notificationsOf(
  { db, config }: Pick<Services, 'db' | 'config'>,
  caller: Caller,
  { before, types }: NotificationQuery,
) {
  const rows = await listNotifications(db, caller, { before, types, limit: pageSize });
  const { items, next_cursor } = pageOf(rows, pageSize, {
    view: (row) => row,
    cursor: ({ id }) => id,
  });
  const mentioned = await social.mentionsOf(
    { db, config, caller },
    {
      articles: items.flatMap(articlesOf),
      comments: items.flatMap(commentOf),
      principals: items.flatMap(principalsOf),
    },
  );
  const shown = items.map((event) => {
    const [first, second] = articlesOf(event).map((id) => mentioned.articles.get(id) ?? null);
    return {
      ...event,
      article: first ?? null,
      /** The article that links to it, or the one of the recipient that cites it. */
      other: second ?? null,
      comment: mentioned.comments.get(event.subject_id) ?? null,
      actor: mentioned.principals.get(event.actor_principal_id ?? '') ?? null,
      principal: mentioned.principals.get(event.subject_id) ?? null,
    };
  });
  return { items: shown, next_cursor };
}
