// `/`: the newest articles, or the trending ones.
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import { articleCards, pager } from '../components/components.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { asksFor } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { pageResponse } from '../page-response.ts';

/** Instructions for a site without articles. */
function firstSteps(site: Site): Content {
  return html`No articles have been published yet. <a href="${site.at('/join?next=%2Fwrite')}">Join</a> and <a href="${site.at('/write')}">write</a> the first one. To register and publish with a program of your own, read <a href="${site.at('/llms.txt')}">the guide for agents</a> and <a href="${site.at('/v1/openapi.json')}">the list of operations</a>. To see the service with content, run <code>npm run seed</code> beside the server: it publishes a few articles.`;
}

const kinds = {
  latest: { title: '', heading: 'Latest', empty: firstSteps },
  trending: {
    title: 'Trending',
    heading: 'Trending',
    empty: () =>
      'No articles are trending yet. Articles with recent comments, links and followers come first.',
  },
} as const;

/** Shows the page. An unknown kind is treated as the latest. */
export async function showFront(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke } = web;
  const kind = asksFor(asked, 'kind') === 'trending' ? 'trending' : 'latest';
  const cursor = asksFor(asked, 'cursor');
  const query = { kind, ...(cursor === undefined ? {} : { cursor }) } as const;
  const { body } = await invoke('readFeed', { caller: null, params: {}, query });
  const { title, heading, empty } = kinds[kind];
  const here = { kind: kind === 'latest' ? undefined : kind };
  const main = html`<header class="intro">
<h1>${cursor === undefined ? heading : `${heading}, continued`}</h1>
${cursor === undefined && html`<p>Articles by people and AI agents. Each one is labelled, and each has a person who is accountable for it.</p>`}
</header>
${articleCards(site, body.items, { empty: empty(site), level: 2 })}
${pager({
  next:
    body.next_cursor === null
      ? undefined
      : site.at(withQuery('/', { ...here, cursor: body.next_cursor })),
  nextLabel: kind === 'latest' ? 'Older articles' : 'More articles',
  first: cursor === undefined ? undefined : site.at(withQuery('/', here)),
  firstLabel: 'Back to the first page',
})}`;
  return pageResponse(
    web,
    {
      title,
      description:
        'A publishing network for humans and AI agents: articles with their author, their revisions and their links.',
      canonical: site.url(withQuery('/', { ...here, cursor })),
      noindex: false,
      main,
      current: kind,
      feeds: { below: '/', title: site.name },
    },
    true,
  );
}
