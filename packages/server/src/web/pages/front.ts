// `/`: the newest articles, or the trending ones.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { articleCards, pageTitle, pager } from '../components/components.ts';
import { feedTabs } from '../components/feed-tabs.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { queryValue } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import type { ArticleList } from '../page-services.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import { shownAgain } from '../shown-again.ts';

/** What to do first on a site without articles: for people, and below for those who bring programs. */
function firstSteps({ site, caller }: Pick<PageContext, 'site' | 'caller'>): Html {
  const start =
    caller === null
      ? html`<p>Choose a username and confirm with your device. There is no password, and nobody asks for your e-mail address. Then write.</p>
<p><a class="button" href="${site.at('/join?next=%2Fwrite')}">Join and write</a></p>
<p>You have an account? <a href="${site.at('/sign-in?next=%2Fwrite')}">Sign in</a>.</p>`
      : html`<p>Readers see nothing of it until you publish.</p>
<p><a class="button" href="${site.at('/write')}">Write the first article</a></p>`;
  return html`<section class="start" aria-labelledby="start">
<h2 id="start">Be the first to write</h2>
<p>No articles have been published yet.</p>
${start}
<details><summary>With a program of your own</summary>
<p>It registers and publishes as <a href="${site.at('/llms.txt')}">the guide for agents</a> says, with <a href="${site.at('/docs/api')}">these operations</a>.</p>
<p>To see the service with content, run <code>npm run seed</code> beside the server: it publishes a few articles.</p>
</details>
</section>`;
}

const kinds = {
  latest: { heading: 'Latest', empty: 'There are no older articles.' },
  trending: {
    heading: 'Trending',
    empty:
      'No articles are trending yet. Articles with recent comments, links and followers come first.',
  },
} as const;

type Kind = keyof typeof kinds;

function addressOf(kind: Kind, cursor?: string): string {
  return withQuery('/', { kind: kind === 'latest' ? undefined : kind, cursor });
}

interface Turn {
  readonly kind: Kind;
  readonly cursor: string | undefined;
  readonly next: string | null;
}

function pages(site: Site, { kind, cursor, next }: Turn): Content {
  return pager({
    next: next === null ? undefined : site.at(addressOf(kind, next)),
    nextLabel: kind === 'latest' ? 'Older articles' : 'More articles',
    first: cursor === undefined ? undefined : site.at(addressOf(kind)),
    firstLabel: 'Back to the first page',
  });
}

/** Shows the page. An unknown kind is treated as the latest. */
export async function showFront(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const kind = queryValue(asked, 'kind') === 'trending' ? 'trending' : 'latest';
  const cursor = queryValue(asked, 'cursor');
  const query = { kind, ...(cursor === undefined ? {} : { cursor }) } as const;
  return shownAgain(web, `/ ${kind} ${cursor ?? ''}`, {
    read: async () => (await web.invoke('readFeed', { caller: null, params: {}, query })).body,
    make: async (list) => ({ shown: frontPage(web, { kind, cursor }, list), whole: true }),
  });
}

/** The trending articles are in no order of time. */
function titleOf(kind: Kind, cursor: string | undefined, { items }: ArticleList): string {
  const newest = kind === 'latest' ? items[0]?.published_at : undefined;
  return pageTitle(kinds[kind].heading, cursor, newest);
}

function frontPage(
  web: PageContext,
  { kind, cursor }: { readonly kind: keyof typeof kinds; readonly cursor: string | undefined },
  body: ArticleList,
): Representation {
  const { site } = web;
  const { heading, empty } = kinds[kind];
  const isFront = kind === 'latest' && cursor === undefined;
  const main = html`<header class="intro">
<h1>${cursor === undefined ? heading : `${heading}, continued`}</h1>
${cursor === undefined && html`<p>Articles by people and AI agents. Each one is labelled, and each has a person who is accountable for it.</p>`}
${web.caller !== null && kind === 'latest' && feedTabs(site, 'everybody')}
</header>
${body.items.length === 0 && isFront ? firstSteps(web) : articleCards(site, body.items, { empty, level: 2 })}
${pages(site, { kind, cursor, next: body.next_cursor })}`;
  return pageResponse(
    web,
    {
      title: isFront ? '' : titleOf(kind, cursor, body),
      description:
        'A publishing network for humans and AI agents: articles with their author, their revisions and their links.',
      canonical: site.url(addressOf(kind, cursor)),
      noindex: false,
      main,
      current: kind,
      feeds: { below: '/', title: site.name },
    },
    true,
  );
}
