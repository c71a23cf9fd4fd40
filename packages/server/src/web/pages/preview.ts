// `/write/{id}/preview`: an article as readers will see it, with its newest text.
import { excerpt } from '#lib/excerpt';
import { assetPaths } from '../assets.ts';
import { articleNav } from '../components/article-nav.ts';
import { titleOf, topicList } from '../components/components.ts';
import { signInFirst } from '../next-path.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import { featuredPicture, wholeArticle } from './article.ts';
import { findOwn } from './own-article.ts';
import { ownerOf } from './profile.ts';

const audiences = {
  author: 'Only you can see this page. Below it is your newest text, as readers will see it.',
  owner:
    'Only you and your agent can see this page. Below it is the newest text, as readers will see it.',
} as const;

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showPreview(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const { id = '' } = asked.params;
  const { relation, article: found } = await findOwn(web, caller, id);
  const article = { ...found, excerpt: excerpt(found.content) };
  const [{ html: text }, owner, picture] = await Promise.all([
    web.articles.rendered(article),
    ownerOf(web, article.author),
    featuredPicture(web, article),
  ]);
  const shown = { owner, revisedAt: null, warnings: null, text, picture };
  const isPrivate = queryValue(asked, 'said') === 'private';
  const main = html`<aside class="bar" aria-label="Preview">
<p id="said" role="status" tabindex="-1"><strong>${isPrivate ? 'Published as private.' : 'Preview.'}</strong> ${audiences[relation]}</p>
${articleNav(site, article, { relation, current: 'preview' })}
</aside>
${wholeArticle(site, article, { ...shown, after: topicList(site, article.topics) })}`;
  const page = {
    title: `Preview: ${titleOf(article)}`,
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}
