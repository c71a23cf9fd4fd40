// Adds the paths of the web to the server.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAnotherPath, isProblem, requireReadable, reserveAnswer } from '#http';
import type { Problem } from '#http';
import { joinedWork } from '#lib/joined-work';
import type { Client } from '@colophon/text';
import { addAssets, scriptPaths } from './assets.ts';
import { bundleIslands } from '@colophon/islands';
import { openChangedQuotes } from './changed-quotes.ts';
import { feedPaths } from './feeds/article-feeds.ts';
import { showCommentFeed } from './feeds/comment-feed.ts';
import { openFeedWriting } from './feeds/writing.ts';
import { answerForm } from './forms/answer.ts';
import { forms } from './forms/index.ts';
import { showGuides } from './guides/show.ts';
import { openGuides } from './guides/sources.ts';
import { openKeptPages } from './kept-pages.ts';
import { openLongTexts } from './long-texts.ts';
import type { LongText } from './long-texts.ts';
import { loopbackNames } from './loopback-name.ts';
import { showOembed } from './oembed.ts';
import { moveAccount, showAccount } from './pages/account.ts';
import { showAgentDrafts } from './pages/agent-drafts.ts';
import { showArticle } from './pages/article.ts';
import { showOwnArticles } from './pages/articles.ts';
import { showCite } from './pages/cite.ts';
import { showComment } from './pages/comments.ts';
import { showDecision } from './pages/decision.ts';
import { showFollowing } from './pages/following.ts';
import { showFront } from './pages/front.ts';
import { showGraph } from './pages/graph.ts';
import { showHistory } from './pages/history.ts';
import { showJoin } from './pages/join.ts';
import { showLink } from './pages/link.ts';
import { showModeration } from './pages/moderation.ts';
import { showAccounts } from './pages/moderation-accounts.ts';
import { showAppeal, showAppeals } from './pages/moderation-appeals.ts';
import { showAudit } from './pages/moderation-audit.ts';
import { showObject, showObjects } from './pages/moderation-objects.ts';
import { showModerationReport, showNextReport } from './pages/moderation-report.ts';
import { showStanding } from './pages/moderation-standing.ts';
import { showNotifications } from './pages/notifications.ts';
import { showPieces } from './pages/pieces.ts';
import { showProfile } from './pages/profile.ts';
import { showPublish } from './pages/publish.ts';
import { showReport } from './pages/report.ts';
import { showPreview } from './pages/preview.ts';
import { showRemove } from './pages/remove.ts';
import { showReview } from './pages/review.ts';
import { showRevision } from './pages/revision.ts';
import { showRevisions } from './pages/revisions.ts';
import { showSearch } from './pages/search.ts';
import { showSettings } from './pages/settings.ts';
import { showAgent } from './pages/settings-agent.ts';
import { showAgents } from './pages/settings-agents.ts';
import { showClose, showClosed } from './pages/settings-close.ts';
import { showExport } from './pages/settings-export.ts';
import { showLimits } from './pages/settings-limits.ts';
import { showTokens } from './pages/settings-tokens.ts';
import { showSignIn } from './pages/sign-in.ts';
import { showStatus } from './pages/status.ts';
import { showTopic, showTopics } from './pages/topics.ts';
import { showTransparency } from './pages/transparency.ts';
import { showWrite } from './pages/write.ts';
import { openLayouts } from './pictures/layouts.ts';
import type { PageServices } from './page-services.ts';
import { showOperation, showReference, showReferenceText } from './reference/show.ts';
import { noteReader } from './readers.ts';
import { sendElsewhere, sendRepresentation } from './respond.ts';
import { openShortTexts } from './short-texts.ts';
import { siteOf } from './site.ts';
import type { PageContext, PageHandler, PageRequest } from './context.ts';

const shows: Readonly<Record<string, PageHandler>> = {
  '/': showFront,
  '/following': showFollowing,
  '/search': showSearch,
  '/comments/{id}': showComment,
  '/topics': showTopics,
  '/topics/{slug}': showTopic,
  '/@{username}': showProfile,
  '/@{username}/{place}': showArticle,
  '/@{username}/{place}/cite': showCite,
  '/@{username}/{place}/graph': showGraph,
  '/@{username}/{place}/comments.atom': showCommentFeed,
  '/@{username}/{place}/revisions': showRevisions,
  '/@{username}/{place}/revisions/{revision_id}': showRevision,
  ...feedPaths,
  '/oembed': showOembed,
  '/docs/api': showReference,
  '/docs/api.md': showReferenceText,
  '/docs/api/{operation}': showOperation,
  '/join': showJoin,
  '/report': showReport,
  '/sign-in': showSignIn,
  '/-/link': showLink,
  '/account': moveAccount,
  '/settings/security': showAccount,
  '/-/pieces': showPieces,
  '/notifications': showNotifications,
  '/decisions/{id}': showDecision,
  '/transparency': showTransparency,
  '/moderation': showModeration,
  '/moderation/next': showNextReport,
  '/moderation/standing': showStanding,
  '/moderation/reports/{id}': showModerationReport,
  '/moderation/appeals': showAppeals,
  '/moderation/appeals/{id}': showAppeal,
  '/moderation/objects': showObjects,
  '/moderation/objects/{type}/{id}': showObject,
  '/moderation/audit': showAudit,
  '/moderation/accounts': showAccounts,
  '/-/status': showStatus,
  '/settings': showSettings,
  '/articles': showOwnArticles,
  '/articles/agents': showAgentDrafts,
  '/review/{id}': showReview,
  '/write/{id}/history': showHistory,
  '/write/{id}/preview': showPreview,
  '/write/{id}/publish': showPublish,
  '/settings/agents': showAgents,
  '/settings/agents/{username}': showAgent,
  '/settings/close': showClose,
  '/closed': showClosed,
  '/settings/export': showExport,
  '/settings/limits': showLimits,
  '/settings/tokens': showTokens,
  '/write/{id}/remove': showRemove,
  '/write': showWrite,
  '/write/{id}': showWrite,
};

const guidePaths = ['/docs', '/docs.md', '/docs/{page}'] as const;

/** Memory for the pages and feeds that are read most. */
const keptPagesBytes = 16 * 1024 * 1024;

/** What a page receives, except for its caller. */
type Shared = Omit<PageContext, 'caller'>;

/** What every page receives. */
type Constant = Omit<
  Shared,
  'shortText' | 'longText' | 'markWords' | 'changedQuotes' | 'layOut' | 'client'
>;

function longTextOf(request: FastifyRequest, reply: FastifyReply): LongText {
  return openLongTexts((units) => reserveAnswer(request, reply, units));
}

/** Adds pages, feeds and related files. */
export async function addWeb(app: FastifyInstance, parts: PageServices): Promise<void> {
  const { renderShort, markWords, changedQuotes, onError, callerOf, readForm, ...rest } = parts;
  const islands = await bundleIslands();
  const writing = openFeedWriting(onError);
  app.addHook('onClose', () => writing[Symbol.asyncDispose]());
  const layouts = openLayouts(onError);
  app.addHook('onClose', () => layouts[Symbol.asyncDispose]());
  const shortTextsOf = openShortTexts(renderShort);
  const changedQuotesOf = openChangedQuotes(changedQuotes);
  const shared: Constant = {
    ...rest,
    site: siteOf(parts.config),
    writeFeed: writing.writeFeed,
    keptPages: openKeptPages(keptPagesBytes),
    joined: joinedWork(),
    scripts: scriptPaths(islands),
  };
  const rightName = loopbackNames(parts.config);
  addAssets(app, islands);
  const guides = showGuides(openGuides(parts.config));
  const all = [...Object.entries(shows), ...guidePaths.map((path) => [path, guides] as const)];
  const isGuide = (path: string) => guidePaths.some((one) => one === path);
  const contextFor = (client: Client | undefined, longText: LongText): Shared => ({
    ...shared,
    client,
    longText,
    shortText: shortTextsOf(client),
    changedQuotes: changedQuotesOf(client),
    markWords: (hunks) => markWords(hunks, client),
    layOut: (task) => layouts.layOut(task, client),
  });
  for (const [path, show] of all) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(url, async (request, reply) => {
      if (isAnotherPath(request)) return reply.callNotFound();
      const client = await parts.limitAnonymous(request, reply);
      const web = contextFor(isGuide(path) ? undefined : client, longTextOf(request, reply));
      const caller = await callerOf(request.headers, client.address);
      const context = { ...web, caller };
      noteReader(request, context);
      const shown = await show(context, askedOf(request));
      if ('elsewhere' in shown) {
        if (shown.temporary) return reply.redirect(web.site.at(shown.elsewhere), 303);
        return sendElsewhere(request, reply, web.site.at(shown.elsewhere));
      }
      const elsewhere = shown.contentType.startsWith('text/html') ? rightName(request) : undefined;
      if (elsewhere !== undefined) return reply.redirect(elsewhere, 307);
      return sendRepresentation(request, reply, shown, parts.config);
    });
    const own = forms[path];
    if (own === undefined) continue;
    app.post(url, async (request, reply) => {
      if (isAnotherPath(request)) return reply.callNotFound();
      const { client, refusal } = await limitSender(parts, request, reply);
      const arrival = { show, forms: own, asked: askedOf(request), reply, readForm, refusal };
      const web = contextFor(client, longTextOf(request, reply));
      return answerForm({ ...web, caller: null }, arrival);
    });
  }
}

interface Admitted {
  readonly client?: Client;
  readonly refusal?: Problem;
}

/** Admits the sender of a form; if it is refused, the form is read first, to return what was typed. */
async function limitSender(
  { limitAnonymous }: Pick<PageServices, 'limitAnonymous'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admitted> {
  try {
    return { client: await limitAnonymous(request, reply) };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { refusal: error };
  }
}

/** @throws invalid-request: the query is not UTF-8, or contains NUL */
function askedOf(request: FastifyRequest): PageRequest {
  const [, query = ''] = request.url.split('?');
  requireReadable(query);
  return {
    params: request.params as Record<string, string>,
    query: new URLSearchParams(query),
    request,
  };
}

export const webRoutes = [
  ...[...Object.keys(shows), ...guidePaths, '/assets/{name}', '/favicon.ico'].map(
    (path) => ({ method: 'GET', path }) as const,
  ),
  ...Object.keys(forms).map((path) => ({ method: 'POST', path }) as const),
];
