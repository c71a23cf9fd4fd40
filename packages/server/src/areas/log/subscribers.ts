// Collects leaves when something happened that the log has to mention, and walks what happened before.
import type {
  ActionRecorded,
  ArticleChanged,
  ArticleErased,
  KeyChanged,
  PrincipalClosed,
  Subscriber,
  SubscriberServices,
} from '#outbox';
import { articlesOf } from '#outbox';
import { keyOf } from '#lib/id';
import { countArticles, listArticlesAfter } from '#reindex';
import type { Rebuilding } from '#reindex';
import {
  countActions,
  countClosings,
  countKeys,
  listActionsAfter,
  listClosingsAfter,
  listKeysAfter,
} from './queries/index.ts';
import { collectAction, collectClosing, collectKeys } from './service/collect.ts';
import { collectArticles } from './service/collect-articles.ts';
import type { ReportedPublication } from './queries/index.ts';

const articlesAtOnce = 100;

interface AboutArticle {
  readonly bucket: number;
  readonly payload: ArticleChanged['payload'];
}

/** The publications that the messages report because the articles no longer show them. */
function pastPublicationsOf(messages: readonly AboutArticle[]): readonly ReportedPublication[] {
  return messages.flatMap(({ bucket, payload: { article_id, publication } }) =>
    publication === undefined ? [] : [{ ...publication, bucket, article_id }],
  );
}

/** Returns the subscribers. `wake` is called when leaves were collected. */
export function logSubscribers(wake: () => void): readonly Subscriber[] {
  const waking =
    <M>(collect: (messages: readonly M[], services: SubscriberServices) => Promise<void>) =>
    async (messages: readonly M[], services: SubscriberServices) => {
      await collect(messages, services);
      wake();
    };
  const changed = waking<AboutArticle>((messages, services) =>
    collectArticles(articlesOf(messages), services, pastPublicationsOf(messages)),
  );
  const keys = waking<Pick<KeyChanged, 'payload'>>((messages, services) =>
    collectKeys(
      messages.map(({ payload: { key_id, compromised_at: compromisedAt } }) => ({
        ...keyOf(key_id),
        compromisedAt,
      })),
      services,
    ),
  );
  const acted = waking<Pick<ActionRecorded, 'payload'>>(async (messages, services) => {
    for (const { payload } of messages) await collectAction(payload.action_id, services);
  });
  const closed = waking<Pick<PrincipalClosed, 'payload'>>(async (messages, services) => {
    for (const { payload } of messages) await collectClosing(keyOf(payload.principal_id), services);
  });
  const onChange: Subscriber<ArticleChanged> = {
    type: 'article.changed',
    name: 'logArticle',
    priority: 'urgent',
    run: (message, services) => changed([message], services),
    many: { atOnce: articlesAtOnce, run: changed },
  };
  const onErasure: Subscriber<ArticleErased> = {
    type: 'article.erased',
    name: 'logErasure',
    priority: 'urgent',
    run: (message, services) => changed([message], services),
    many: { atOnce: articlesAtOnce, run: changed },
  };
  const onKey: Subscriber<KeyChanged> = {
    type: 'key.changed',
    name: 'logKey',
    run: (message, services) => keys([message], services),
  };
  const onAction: Subscriber<ActionRecorded> = {
    type: 'action.recorded',
    name: 'logAction',
    run: (message, services) => acted([message], services),
  };
  const onClosing: Subscriber<PrincipalClosed> = {
    type: 'principal.closed',
    name: 'logClosing',
    run: (message, services) => closed([message], services),
  };
  return [onChange, onErasure, onKey, onAction, onClosing] as readonly Subscriber[];
}

const noneStale = async () => [];

/**
 * Logs what happened before the log was started. It is not a derived row: a second walk adds nothing, and nothing is
 * ever taken out.
 */
export const rebuildingLog: readonly Rebuilding[] = [
  {
    name: 'log-keys',
    version: 1,
    count: countKeys,
    next: listKeysAfter,
    stale: noneStale,
    rebuild: (id, services) => collectKeys([keyOf(id)], services),
  },
  {
    name: 'log-articles',
    version: 1,
    count: countArticles,
    next: listArticlesAfter,
    stale: noneStale,
    rebuild: (id, services) => collectArticles([keyOf(id)], services),
  },
  {
    name: 'log-actions',
    version: 1,
    count: countActions,
    next: listActionsAfter,
    stale: noneStale,
    rebuild: (id, services) => collectAction(id, services),
  },
  {
    name: 'log-closings',
    version: 1,
    count: countClosings,
    next: listClosingsAfter,
    stale: noneStale,
    rebuild: (id, services) => collectClosing(keyOf(id), services),
  },
];
