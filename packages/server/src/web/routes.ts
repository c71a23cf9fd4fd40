// Adds the paths of the web to the server.
import type { FastifyInstance } from 'fastify';
import { addAssets } from './assets.ts';
import { feedPaths } from './feeds/article-feeds.ts';
import { showCommentFeed } from './feeds/comment-feed.ts';
import { openFeedWriting } from './feeds/writing.ts';
import { showGuides } from './guides/show.ts';
import { openGuides } from './guides/sources.ts';
import { loopbackNames } from './loopback-name.ts';
import { showOembed } from './oembed.ts';
import { showArticle } from './pages/article.ts';
import { showComment } from './pages/comments.ts';
import { showFront } from './pages/front.ts';
import { showProfile } from './pages/profile.ts';
import { showSearch } from './pages/search.ts';
import { showTopic, showTopics } from './pages/topics.ts';
import type { PageServices } from './page-services.ts';
import { sendElsewhere, sendRepresentation } from './respond.ts';
import { openShortTexts } from './short-texts.ts';
import { siteOf } from './site.ts';
import type { PageHandler, PageContext } from './context.ts';

const shows: Readonly<Record<string, PageHandler>> = {
  '/': showFront,
  '/search': showSearch,
  '/comments/{id}': showComment,
  '/topics': showTopics,
  '/topics/{slug}': showTopic,
  '/@{username}': showProfile,
  '/@{username}/{place}': showArticle,
  '/@{username}/{place}/comments.atom': showCommentFeed,
  ...feedPaths,
  '/oembed': showOembed,
};

const guidePaths = ['/docs', '/docs.md', '/docs/{page}'] as const;

/** Adds pages, feeds and related files. Every caller is anonymous: pages have no sign-in yet. */
export function addWeb(app: FastifyInstance, parts: PageServices): void {
  const { renderShort, onError, ...rest } = parts;
  const writing = openFeedWriting(onError);
  app.addHook('onClose', () => writing[Symbol.asyncDispose]());
  const shortTextsOf = openShortTexts(renderShort);
  const shared: Omit<PageContext, 'shortText'> = {
    ...rest,
    site: siteOf(parts.config),
    writeFeed: writing.writeFeed,
  };
  const rightName = loopbackNames(parts.config);
  addAssets(app);
  const guides = showGuides(openGuides(parts.config));
  const all = [...Object.entries(shows), ...guidePaths.map((path) => [path, guides] as const)];
  const isGuide = (path: string) => guidePaths.some((one) => one === path);
  for (const [path, show] of all) {
    app.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
      const client = await parts.admit(request, reply);
      const web: PageContext = {
        ...shared,
        shortText: shortTextsOf(isGuide(path) ? undefined : client),
      };
      const shown = await show(web, {
        params: request.params as Record<string, string>,
        query: new URLSearchParams(request.url.split('?')[1] ?? ''),
        request,
      });
      if ('elsewhere' in shown) return sendElsewhere(request, reply, web.site.at(shown.elsewhere));
      const elsewhere = shown.contentType.startsWith('text/html') ? rightName(request) : undefined;
      if (elsewhere !== undefined) return reply.redirect(elsewhere, 307);
      return sendRepresentation(request, reply, shown, parts.config);
    });
  }
}

export const webRoutes = [...Object.keys(shows), ...guidePaths, '/assets/{name}'].map(
  (path) => ({ method: 'GET', path }) as const,
);
