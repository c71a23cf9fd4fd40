// `/@{username}/{slug}-{id}/revisions/{revision_id}`: the permanent address of a published revision.
import { problem } from '#http';
import { isId } from '#lib/id';
import { assetPaths } from '../assets.ts';
import {
  byline,
  canonicalOf,
  directionOfArticle,
  exactly,
  langOf,
  markPart,
  pathOf,
  titleOf,
} from '../components/components.ts';
import { disclosures } from '../components/labels.ts';
import { originPanel } from '../components/origin.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { readable } from '../components/markdown-html.ts';
import { html, renderedHtml } from '../html.ts';
import type { Content } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import { withQuery } from '../site.ts';
import { articleAt, isAt } from './article.ts';

/** Says which revision this is, and leads to the one that is shown now. */
function standingNote({ site }: PageContext, article: Article, id: string): Content {
  const path = pathOf(site, article);
  const current = site.at(path);
  if (id === article.revision_id)
    return html`<p class="note" role="note">This is the permanent address of the revision that <a href="${current}">the article</a> shows now.</p>`;
  const since = withQuery(`${path}/revisions`, { from: id, to: article.revision_id });
  return html`<p class="note warning" role="note">This is an earlier revision. <a href="${current}">Read the article as it is now</a>, or see <a href="${site.at(since)}#changes">what has changed since</a>.</p>`;
}

async function readAll({ invoke, articles }: PageContext, id: string, revisionId: string) {
  const params = { id, revision_id: revisionId };
  const [{ body: revision }, state, signings] = await Promise.all([
    invoke('readRevision', { caller: null, params }),
    articles.shownState(id),
    articles.signings(id, [revisionId]),
  ]);
  const text = await articles.rendered({ ...revision, id });
  return { revision, state, signing: signings.get(revisionId) ?? null, text };
}

export async function showRevision(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site } = web;
  const { place = '', revision_id: typed = '' } = asked.params;
  const id = typed.toUpperCase();
  const { article } = await articleAt(web, place);
  if (!isId(id)) throw problem('not-found', 'The article has no revision with this id.');
  const path = pathOf(site, article);
  const own = `${path}/revisions/${id}`;
  if (!isAt(asked, path) || typed !== id) return { elsewhere: own };
  const { revision, state, signing, text } = await readAll(web, article.id, id);
  const { author, language, authorship_disclosure: disclosure } = article;
  const shown = { ...article, title: revision.title, content: revision.content, excerpt: '' };
  const title = titleOf(shown);
  const dir = directionOfArticle(shown);
  const origin = { articleId: article.id, author, revision, signing };
  const main = html`<article class="whole" aria-labelledby="title">
<header class="head">
<h1 id="title" class="long" ${markPart(article, title)}>${title}</h1>
<p class="meta" dir="${dir}">${byline(site, author)} <span>Published ${exactly(revision.published_at ?? revision.created_at)}</span></p>
<p class="meta disclosure" dir="${dir}"><span>${disclosures[disclosure]}</span></p>
${standingNote(web, article, id)}
${originPanel(web, origin, path)}
<p class="small"><a href="${site.at(`${path}/revisions`)}">All revisions</a> · <a href="${site.at(`${path}/revisions?to=${id}`)}#changes">Changes of this revision</a> · <a href="${site.at(withQuery(`${path}/cite`, { revision: id }))}">Cite this revision</a></p>
</header>
<div class="prose" dir="${dir}" lang="${langOf(language)}">
${renderedHtml(readable(text.html))}</div>
</article>`;
  const page = {
    title: `Revision of ${title}`,
    description: '',
    canonical: canonicalOf(article),
    noindex: true,
    main,
    script: web.scripts.reading,
    sheet: assetPaths.revisions,
  };
  return pageResponse(web, page, state.listed);
}
