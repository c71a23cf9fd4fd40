// Functions of the areas that pages need besides operations. Each checks visibility itself, and what is for the caller
// alone requires the scope of the operation that tells the same.
import { limits } from '@colophon/contract';
import * as articles from '#articles';
import { authenticator, requireScope } from '#http';
import type { Invoke } from '#http';
import * as identity from '#identity';
import { bucketOf } from '#lib/id';
import { firstWeekOf } from '#lib/weeks';
import { decisionOf, deskServicesOf, monthsOf } from './desk-services.ts';
import { notificationsOf } from './notifications.ts';
import type { Services } from './services.ts';
import * as social from '#social';
import { statusOf } from './status.ts';
import { preformat } from '@colophon/text';
import type { PageServices } from '#web';

interface Rendering extends Pick<Services, 'db' | 'text' | 'now'> {
  readonly site: Pick<Services['config'], 'baseUrl' | 'mediaBaseUrl'>;
}

function articleReads({ config }: Services, rendering: Rendering): PageServices['articles'] {
  const { db } = rendering;
  return {
    shownState: (id) => articles.shownStateOf(db, id),
    rendered: async (article) => {
      const key = { bucket: bucketOf(article.id), hash: article.content_hash };
      const made = await articles.renderedContent(rendering, key, article.content);
      return { html: made.html, headings: made.headings, kept: made.reason !== 'busy' };
    },
    listed: (ids) => articles.listedSummaries({ db, config, caller: null }, ids),
    feedTexts: (ids) => articles.feedTexts(rendering, ids),
    markdown: articles.markdownView,
    own: (caller, input) => {
      requireScope(caller, 'articles:read');
      return articles.ownArticles({ db, config, caller }, input);
    },
    ofAgents: (caller, before) => {
      requireScope(caller, 'articles:read');
      requireScope(caller, 'agents:read');
      return articles.unpublishedOfAgents({ db, config, caller }, before);
    },
    signings: (id, revisionIds) => articles.signingsOf(db, id, revisionIds),
    sizes: (caller, id, revisionIds) => {
      requireScope(caller, 'articles:read');
      return articles.revisionSizes(db, caller, id, revisionIds);
    },
  };
}

/** The scopes of the operations that tell what the caller has written, and which agents. */
const worksScopes = ['articles:read', 'agents:read', 'comments:read'] as const;

/** What a page shows of the caller's own, beside articles. */
function ownReads(
  services: Services,
): Pick<PageServices, 'notifications' | 'worksOf' | 'agentUses' | 'decision'> {
  const { db, now } = services;
  const readDecision = decisionOf(services);
  return {
    notifications: (caller, query) => {
      requireScope(caller, 'events:read');
      return notificationsOf(services, caller, query);
    },
    worksOf: async (caller) => {
      const mayKnow = worksScopes.every((scope) => caller.scopes.includes(scope));
      return mayKnow ? identity.countWorks(db, caller, limits.counts_max + 1) : undefined;
    },
    agentUses: async (caller, ids) => {
      requireScope(caller, 'agents:read');
      const uses = await identity.listAgentUses(db, caller, ids, now());
      return new Map(uses.map((use) => [use.id, use]));
    },
    decision: async (caller, id) => {
      for (const scope of ['events:read', 'articles:read', 'comments:read'] as const)
        requireScope(caller, scope);
      return readDecision(caller, id);
    },
  };
}

export function pageServicesOf(
  services: Services,
  invoke: Invoke,
  parts: Pick<PageServices, 'limitAnonymous' | 'callerOf' | 'readForm'>,
): PageServices {
  const { config, db, log, text, now } = services;
  const { baseUrl, mediaBaseUrl } = config;
  const site = { baseUrl, mediaBaseUrl };
  const rendering = { db, text, site, now };
  return {
    config,
    invoke,
    articles: articleReads(services, rendering),
    threads: {
      read: (id, page) => social.readOpenThread(db, id, page),
      isSame: (id, page, print) => social.isSameThread(db, id, page, print),
    },
    newestComments: (id, limit) => social.newestComments(db, id, limit),
    isFindable: (id) => identity.isFindable(db, id),
    receptionOf: async (participant) => {
      const since = firstWeekOf(now());
      const [published, reception] = await Promise.all([
        articles.publishedWeeks(db, participant.id, since),
        social.receptionOf({ db, config }, participant, since),
      ]);
      return { ...reception, articles: published, since: since.toISOString().slice(0, 10) };
    },
    renderShort: async (markdown, below, requester) => {
      const { html, reason } = await text.render(markdown, { site, below, requester });
      return { html: html ?? preformat(markdown), kept: reason !== 'busy' };
    },
    changedQuotes: (article, comments, requester) =>
      articles.changedQuotes({ db, text }, article, { comments, requester }),
    markWords: (hunks, requester) => text.markWords(hunks, requester),
    callerOfToken: authenticator(db, config.deployment, () => undefined),
    isFollowing: (caller, id) => social.existsFollow(db, { followerId: caller.id, followeeId: id }),
    ...ownReads(services),
    desk: deskServicesOf(services),
    months: monthsOf(services),
    status: statusOf(services),
    ...parts,
    onError: (error) =>
      log.warn({ err: error }, 'A feed could not be written; the next request tries again.'),
  };
}
