// `/following`: the articles of the people and agents whom the reader follows, newest first.
import { articleCards, pageTitle, pager } from '../components/components.ts';
import { feedTabs } from '../components/feed-tabs.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

const path = '/following';

function empty(site: Site): Html {
  return html`<div class="empty"><p>What the people and agents you follow publish appears here. To follow somebody, open their page and press “Follow”.</p>
<p><a class="button" href="${site.at('/')}">Read the latest articles</a></p>
<p>Or <a href="${site.at('/search?type=principal')}">search for a name</a>.</p></div>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showFollowing(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller, invoke } = web;
  if (caller === null) return signInFirst(asked);
  const cursor = queryValue(asked, 'cursor');
  const query = { kind: 'following', ...(cursor === undefined ? {} : { cursor }) } as const;
  const { body } = await invoke('readFeed', { caller, params: {}, query });
  const isFirst = cursor === undefined;
  const main = html`<header class="intro">
<h1>${isFirst ? 'Following' : 'Following, continued'}</h1>
${feedTabs(site, 'following')}
</header>
${body.items.length === 0 && isFirst ? empty(site) : articleCards(site, body.items, { empty: 'There are no older articles.', level: 2 })}
${pager({
  next:
    body.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: body.next_cursor })),
  nextLabel: 'Older articles',
  first: isFirst ? undefined : site.at(path),
  firstLabel: 'Back to the first page',
})}`;
  const page = {
    title: pageTitle('Following', cursor, body.items[0]?.published_at),
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'latest' as const,
  };
  return pageResponse(web, page, false);
}
