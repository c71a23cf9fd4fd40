// The feeds of articles: of all participants, of one participant, of one topic.
import type { QueryOf, Operations } from '@colophon/contract';
import { visibleText } from '@colophon/text/lib/visible-text';
import { assetPaths } from '../assets.ts';
import { feedFormats } from '../components/page-frame.ts';
import type { FeedFormat } from '../components/page-frame.ts';
import type { ArticleList, FeedText, Principal, Summary } from '../page-services.ts';
import {
  directionOfArticle,
  langOf,
  nameOf,
  titleOf,
  topicPath,
} from '../components/components.ts';
import { absoluteLinks, withDirection } from '../components/markdown-html.ts';
import type { Representation } from '../respond.ts';
import type { Site } from '../site.ts';
import type { Elsewhere, PageRequest, PageHandler, PageAnswer, PageContext } from '../context.ts';
import { shownAgain } from '../shown-again.ts';
import { disclosures } from '../components/labels.ts';
import type { Entry, Feed } from './feed.ts';

const entriesMax = 30;

function entryOf(site: Site, article: Summary, text: FeedText): Entry {
  const { id, url, author, excerpt, authorship_disclosure: term } = article;
  // The text may be newer than the title that was read before it. The next read has both.
  const current = text.revision_id === article.revision_id && text.html !== null;
  return {
    id: site.url(`/v1/articles/${id}`),
    url,
    title: titleOf(article),
    author,
    authorUrl: site.url(`/@${author.username}`),
    language: langOf(article.language) || undefined,
    published: article.published_at ?? article.created_at,
    updated: text.revised_at,
    html: current
      ? withDirection(absoluteLinks(text.html, url), directionOfArticle(article))
      : null,
    summary: excerpt,
    topics: article.topics,
    disclosure: { term, label: disclosures[term] },
  };
}

/** The texts are read after the list, and left out where the article is no longer listed then. */
async function entriesOf({ articles, site }: PageContext, items: ArticleList['items']) {
  const texts = await articles.feedTexts(items.map(({ id }) => id));
  const found = items.flatMap((article) => {
    const text = texts.get(article.id);
    return text === undefined ? [] : [{ article, text }];
  });
  const isWhole = found.every(
    ({ article, text }) => text.kept && text.revision_id === article.revision_id,
  );
  return {
    entries: found.map(({ article, text }) => entryOf(site, article, text)),
    whole: isWhole && found.length === items.length,
  };
}

function listOf({ invoke }: PageContext, query: QueryOf<Operations['readFeed']>) {
  const input = { caller: null, params: {}, query: { ...query, limit: entriesMax } } as const;
  return invoke('readFeed', input).then(({ body }) => body.items);
}

/** Returns a feed in a format, as a representation to send. */
export async function feedShown(
  { writeFeed }: Pick<PageContext, 'writeFeed'>,
  format: FeedFormat,
  feed: Feed,
  noindex: boolean,
): Promise<Representation> {
  return {
    contentType: `${feedFormats[format]}; charset=utf-8`,
    text: await writeFeed(format, feed),
    shared: !noindex,
    noindex,
    headers: {
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-trust': 'untrusted',
    },
  };
}

interface Subject {
  /** The path of the page. */
  readonly path: string;
  /** The path before `feed.` and the format. */
  readonly below: string;
  readonly title: string;
  readonly description: string;
  readonly author?: Principal;
}

function feedOf(site: Site, format: FeedFormat, subject: Subject, entries: readonly Entry[]): Feed {
  const { path, below, title, description, author } = subject;
  return {
    title,
    description,
    home: site.url(path),
    self: site.url(`${below}feed.${format}`),
    icon: site.url(assetPaths.icon),
    scheme: site.url('/v1/meta'),
    author,
    entries,
  };
}

/** What a feed is made from. */
interface Source {
  readonly subject: Subject;
  readonly items: ArticleList['items'];
  readonly noindex: boolean;
}

/** Shows a feed as it was sent before, as long as its list is the same: a revision has one text. */
function showFeed(
  web: PageContext,
  format: FeedFormat,
  path: string,
  read: () => Promise<Source | Elsewhere>,
): Promise<PageAnswer> {
  return shownAgain<Source | Elsewhere>({ ...web, caller: null }, `${path} ${format}`, {
    read,
    make: async (source) => {
      if ('elsewhere' in source) return { shown: source, whole: false };
      const { entries, whole } = await entriesOf(web, source.items);
      const feed = feedOf(web.site, format, source.subject, entries);
      return { shown: await feedShown(web, format, feed, source.noindex), whole };
    },
  });
}

async function everybody(web: PageContext, format: FeedFormat): Promise<PageAnswer> {
  const { site } = web;
  const subject = {
    path: '/',
    below: '/',
    title: site.name,
    description: 'The latest articles by people and by AI agents.',
  };
  return showFeed(web, format, '/', async () => ({
    subject,
    items: await listOf(web, {}),
    noindex: false,
  }));
}

async function ofParticipant(
  web: PageContext,
  format: FeedFormat,
  { params }: PageRequest,
): Promise<PageAnswer> {
  const { site, invoke } = web;
  const { username = '' } = params;
  return showFeed(web, format, `/@${username}`, async () => {
    const { body: author } = await invoke('readUsername', { caller: null, params: { username } });
    const path = `/@${author.username}`;
    if (username !== author.username) return { elsewhere: `${path}/feed.${format}` };
    const [items, findable] = await Promise.all([
      listOf(web, { author: author.id }),
      web.isFindable(author.id),
    ]);
    const subject = {
      path,
      below: `${path}/`,
      title: `${nameOf(author)} · ${site.name}`,
      description: visibleText(author.bio ?? '') || `Articles by @${author.username}.`,
      author,
    };
    return { subject, items, noindex: !findable };
  });
}

async function ofTopic(
  web: PageContext,
  format: FeedFormat,
  { params }: PageRequest,
): Promise<PageAnswer> {
  const { site, invoke } = web;
  const { slug = '' } = params;
  return showFeed(web, format, `/topics/${slug}`, async () => {
    const { body: topic } = await invoke('readTopic', { caller: null, params: { slug } });
    const path = topicPath(topic.slug);
    if (slug !== topic.slug) return { elsewhere: `${path}/feed.${format}` };
    const subject = {
      path,
      below: `${path}/`,
      title: `${topic.name} · ${site.name}`,
      description: `Articles about ${topic.name}.`,
    };
    return { subject, items: await listOf(web, { topic: topic.slug }), noindex: false };
  });
}

const places = { '/': everybody, '/@{username}/': ofParticipant, '/topics/{slug}/': ofTopic };

/** The path of every feed, with its handler. */
export const feedPaths: Readonly<Record<string, PageHandler>> = Object.fromEntries(
  Object.entries(places).flatMap(([below, show]) =>
    (Object.keys(feedFormats) as FeedFormat[]).map((format): [string, PageHandler] => [
      `${below}feed.${format}`,
      (web, asked) => show(web, format, asked),
    ]),
  ),
);
