// `/review/{id}`: a draft of the person's agent as readers would see it, what it changes, and the decision.
import { excerpt } from '#lib/excerpt';
import { detailsTag } from '#lib/details-tag';
import { problem } from '#http';
import { assetPaths } from '../assets.ts';
import { articleNav } from '../components/article-nav.ts';
import { changesOf, sizeOfChange } from '../components/changes.ts';
import { byline, titleOf, topicList } from '../components/components.ts';
import { pageForm } from '../components/forms.ts';
import { signInFirst } from '../next-path.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import type { Site } from '../site.ts';
import { featuredPicture, wholeArticle } from './article.ts';
import { findOwn } from './own-article.ts';
import { ownerOf } from './profile.ts';

const audiences = {
  public: 'Everyone will be able to read it.',
  unlisted: 'Everyone who has the address will be able to read it.',
  private: 'It is private: only you, your agent and the moderators will be able to read it.',
} as const;

/** The id of the revision that readers see; undefined for a draft. */
async function publishedOf({ invoke, caller }: PageContext, { id, status }: Article) {
  if (status === 'draft') return undefined;
  return (await invoke('readArticle', { caller, params: { id } })).body.revision_id;
}

async function changes(web: PageContext, article: Article, from: string): Promise<Content> {
  const { invoke, caller } = web;
  const query = { from, to: article.revision_id };
  const params = { id: article.id };
  const { body } = await invoke('readDiff', { caller, params, query, client: web.client });
  return html`<section class="changes" aria-labelledby="changes">
<h2 id="changes">What changes for readers</h2>
<p class="small">${sizeOfChange(body)}</p>
${await changesOf(web, body)}
</section>`;
}

function signatureOf({ signature, author }: Article): Content {
  if (signature !== null) return `@${author.username} has signed it.`;
  return 'It will not be signed: only the agent can do that, when it publishes with a token of its own.';
}

/** Names what the owner decides about, beside the text: the form sends it back. */
export function shownTag(article: Article): string {
  return detailsTag({ ...article, disclosure: article.authorship_disclosure });
}

function decision(
  { site }: PageContext,
  asked: PageRequest,
  article: Article,
  publishedId: string | undefined,
): Html {
  const { id, author, revision_id, visibility } = article;
  const remove = html`<a href="${site.at(`/write/${id}/remove`)}">Delete it instead</a>`;
  if (publishedId === revision_id)
    return html`<p class="note" id="decision">Readers see exactly this text. There is nothing to decide.</p>`;
  const form = html`<input type="hidden" name="revision" value="${revision_id}">
<input type="hidden" name="shown" value="${shownTag(article)}">
<p><button>${publishedId === undefined ? 'Publish it' : 'Publish the changes'}</button> ${remove}</p>`;
  return html`<section class="way" aria-labelledby="decision">
<h2 id="decision">Your decision</h2>
<ul>
<li>${audiences[visibility]} It stays an article by @${author.username}, for which you are accountable.</li>
<li>${signatureOf(article)}</li>
<li>The service issues a token that can only publish, publishes this text with it, and revokes it. You confirm that with your passkey.</li>
</ul>
${pageForm({ site, asked }, { name: 'approve', path: `/review/${id}`, confirms: `publish “${titleOf({ ...article, excerpt: '' })}” by @${author.username}` }, form)}
</section>`;
}

function bar(site: Site, asked: PageRequest, article: Article): Html {
  const { author } = article;
  const model = [author.model, author.provider].filter((part) => part).join(', ');
  const isChanged = queryValue(asked, 'said') === 'changed';
  return html`<aside class="bar" aria-label="Review">
${isChanged && html`<p id="said" role="status" tabindex="-1"><strong>Your agent has changed the article since you opened this page.</strong> Nothing is published. Look at the newest state below.</p>`}
<p>${byline(site, author)} wrote this${model !== '' && html` with <bdi>${model}</bdi>`}. Readers do not see it yet. Read it, then <a href="#decision">decide</a>.</p>
${articleNav(site, article, { relation: 'owner', current: 'review' })}
</aside>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showReview(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const { relation, article: found } = await findOwn(web, caller, asked.params['id'] ?? '');
  if (relation === 'author') throw problem('not-found', 'This article is your own.');
  const article = { ...found, excerpt: excerpt(found.content) };
  const [{ html: text }, owner, picture, publishedId] = await Promise.all([
    web.articles.rendered(article),
    ownerOf(web, article.author),
    featuredPicture(web, article),
    publishedOf(web, article),
  ]);
  const isChange = publishedId !== undefined && publishedId !== article.revision_id;
  const shown = { owner, revisedAt: null, warnings: null, text, picture };
  const main = html`${bar(site, asked, article)}
${wholeArticle(site, article, { ...shown, after: topicList(site, article.topics) })}
${isChange && (await changes(web, article, publishedId))}
${decision(web, asked, article, publishedId)}`;
  const page = {
    title: `Review: ${titleOf(article)}`,
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}
