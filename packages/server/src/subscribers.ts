// The work of the pipeline: the subscribers, the recurring jobs and the rebuilding of every area.
import * as articles from '#articles';
import { scheduledBackup } from '#backup';
import * as events from '#events';
import * as exported from '#exports';
import * as feed from '#feed';
import * as identity from '#identity';
import { logSubscribers, rebuildingLog } from '#log';
import * as media from '#media';
import * as moderation from '#moderation';
import { sweeps } from '#http';
import { sweepJob } from '#outbox';
import type { Subscriber, Recurring } from '#outbox';
import type { Rebuilding } from '#reindex';
import * as search from '#search';
import type { Services } from '#services';
import * as shareImages from '#share-images';
import * as sitemap from '#sitemap';
import * as social from '#social';

/** Returns the subscribers of all areas. */
export function subscribersOf(
  services: Services,
  {
    drawsAhead = true,
    wake = () => undefined,
  }: { readonly drawsAhead?: boolean; readonly wake?: () => void } = {},
): readonly Subscriber[] {
  const { text, config } = services;
  return [
    ...identity.subscribers,
    ...articles.subscribersWith({ text, site: config }),
    ...media.subscribersWith(services),
    ...social.subscribers,
    ...moderation.subscribers,
    ...search.subscribers,
    ...feed.subscribers,
    ...sitemap.subscribers,
    ...shareImages.shareImageSubscribers(services, drawsAhead),
    ...events.subscribers,
    ...exported.exportSubscribers(services),
    ...logSubscribers(wake),
  ];
}

/** Returns the recurring jobs of all areas. `stop` ends a job that takes minutes. */
export function recurringOf(services: Services, stop: AbortSignal): readonly Recurring[] {
  const { config, connection, store, ledger } = services;
  return [
    scheduledBackup({ ...config, connection, store, ledger, stop }),
    ...sweeps.map(sweepJob),
    ...identity.recurring,
    ...articles.recurring,
    articles.recordingErasures(ledger),
    identity.recordingClosings(ledger),
    moderation.recordingLegalActs(ledger),
    ...search.recurring,
    ...media.recurringWith(services),
    ...moderation.recurring,
    ...exported.exportRecurring(services),
  ];
}

/**
 * Every kind of derived rows except share images, which are drawn again on request, in the order in which
 * they are rebuilt: by `npm run admin -- reindex`, and by the pipeline after an upgrade.
 */
export const rebuilding: readonly Rebuilding[] = [
  ...search.rebuilding,
  ...feed.rebuilding,
  ...sitemap.rebuilding,
  articles.rebuildingExcerpts,
  ...rebuildingLog,
];
