// The feed of comments on an article: `comments.atom` below its URL.
import { problem } from '#http';
import { directionOfText } from '@colophon/text/lib/writing-direction';
import { assetPaths } from '../assets.ts';
import type { Comment } from '../page-services.ts';
import { pathOf, titleOf } from '../components/components.ts';
import { absoluteLinks, prefixIds, withDirection } from '../components/markdown-html.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { articleAt, isAt } from '../pages/article.ts';
import { feedShown } from './article-feeds.ts';
import { authorName } from './feed.ts';
import type { Entry } from './feed.ts';

const entriesMax = 30;

async function entryOf(
  { site, shortText }: PageContext,
  comment: Comment,
  about: string,
): Promise<Entry> {
  const { id, author, created_at, parent_comment_id: parent } = comment;
  const content = comment.content ?? '';
  const url = site.url(`/comments/${id}`);
  return {
    id: site.url(`/v1/comments/${id}`),
    url,
    title: `${authorName(author)} on “${about}”`,
    author,
    authorUrl: site.url(`/@${author.username}`),
    language: undefined,
    published: created_at,
    updated: created_at,
    html: withDirection(
      absoluteLinks(prefixIds(await shortText(content), `c${id}`), url),
      directionOfText(content),
    ),
    summary: { of: content },
    topics: [],
    disclosure: undefined,
    ...(parent === null
      ? {}
      : {
          answers: { id: site.url(`/v1/comments/${parent}`), url: site.url(`/comments/${parent}`) },
        }),
  };
}

export async function showCommentFeed(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site } = web;
  const { article, ending } = await articleAt(web, asked.params['place'] ?? '');
  if (ending !== '')
    throw problem(
      'not-found',
      'The feed of comments has the address of the article page followed by /comments.atom.',
    );
  const path = pathOf(site, article);
  if (!isAt(asked, path)) return { elsewhere: `${path}/comments.atom` };
  const [comments, { listed, excerpt }] = await Promise.all([
    web.newestComments(article.id, entriesMax),
    web.articles.shownState(article.id),
  ]);
  const title = titleOf({ ...article, excerpt });
  const entries = await Promise.all(comments.map((comment) => entryOf(web, comment, title)));
  const feed = {
    title: `Comments on “${title}”`,
    description: `The newest comments on an article by ${authorName(article.author)}.`,
    home: article.url,
    self: site.url(`${path}/comments.atom`),
    icon: site.url(assetPaths.icon),
    scheme: site.url('/v1/meta'),
    author: undefined,
    entries,
  };
  return feedShown(web, 'atom', feed, !listed);
}
