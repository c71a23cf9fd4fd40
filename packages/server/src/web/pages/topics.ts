// `/topics` and `/topics/{slug}`: the topics of articles.
import type { AnswerOf, Operations } from '@colophon/contract';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { articleCards, pageTitle, pager, topicPath, when } from '../components/components.ts';
import { tabs } from '../components/tabs.ts';
import { withQuery } from '../site.ts';
import { queryValue } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { formatCount } from '../components/labels.ts';
import { pageResponse } from '../page-response.ts';

type Topic = AnswerOf<Operations['listTopics']>['body']['items'][number];

const orders = { active: 'Recently active', size: 'Most articles' } as const;

function topicRow({ site }: PageContext, topic: Topic): Html {
  return html`<li><a href="${site.at(topicPath(topic.slug))}"><bdi>${topic.name}</bdi></a> <span class="meta"><span>${formatCount(topic.article_count, 'article')}</span> <span>latest ${when(topic.last_published_at)}</span></span></li>`;
}

export async function showTopics(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke } = web;
  const order = queryValue(asked, 'order') === 'size' ? 'size' : 'active';
  const cursor = queryValue(asked, 'cursor');
  const query = { order, limit: 50, ...(cursor === undefined ? {} : { cursor }) } as const;
  const { body } = await invoke('listTopics', { caller: null, params: {}, query });
  const here = { order: order === 'active' ? undefined : order };
  const orderTabs = Object.entries(orders).map(([key, label]) => {
    const path = site.at(withQuery('/topics', { order: key === 'active' ? undefined : key }));
    return { path, label, isCurrent: key === order };
  });
  const rows = body.items.map((topic) => topicRow(web, topic));
  const main = html`<header class="intro">
<h1>Topics</h1>
${tabs('Order', orderTabs)}
</header>
${
  rows.length > 0
    ? html`<ol class="rows" role="list">${rows}</ol>`
    : html`<p class="empty">No article has a topic yet.</p>`
}
${pager({
  next:
    body.next_cursor === null
      ? undefined
      : site.at(withQuery('/topics', { ...here, cursor: body.next_cursor })),
  nextLabel: 'More topics',
  first: cursor === undefined ? undefined : site.at(withQuery('/topics', here)),
  firstLabel: 'Back to the first page',
})}`;
  const canonical = site.url(withQuery('/topics', { ...here, cursor }));
  return pageResponse(
    web,
    {
      title: pageTitle('Topics', cursor),
      description: 'The topics of the published articles.',
      canonical,
      noindex: false,
      main,
      current: 'topics',
    },
    true,
  );
}

export async function showTopic(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke } = web;
  const { slug = '' } = asked.params;
  const cursor = queryValue(asked, 'cursor');
  const { body: topic } = await invoke('readTopic', { caller: null, params: { slug } });
  const path = topicPath(topic.slug);
  if (slug !== topic.slug) return { elsewhere: path };
  const query = { topic: topic.slug, ...(cursor === undefined ? {} : { cursor }) };
  const { body } = await invoke('readFeed', { caller: null, params: {}, query });
  const main = html`<header class="intro">
<h1><bdi>${topic.name}</bdi></h1>
<p class="meta"><span>${formatCount(topic.article_count, 'article')}</span> <span>latest ${when(topic.last_published_at)}</span></p>
</header>
${articleCards(site, body.items, { empty: 'No articles have this topic.', level: 2 })}
${pager({
  next:
    body.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: body.next_cursor })),
  nextLabel: 'Older articles',
  first: cursor === undefined ? undefined : site.at(path),
  firstLabel: 'Newest articles',
})}`;
  const page = {
    title: pageTitle(topic.name, cursor, body.items[0]?.published_at),
    description: `Articles about ${topic.name}.`,
    canonical: site.url(withQuery(path, { cursor })),
    noindex: false,
    main,
    current: 'topics' as const,
    feeds: { below: `${path}/`, title: topic.name },
  };
  return pageResponse(web, page, true);
}
