// `/write/{id}/publish`: what readers will see of an article, its details, and the button that publishes it.
import { excerpt } from '#lib/excerpt';
import { assetPaths } from '../assets.ts';
import { addressText } from '../components/address.ts';
import { articleNav } from '../components/article-nav.ts';
import {
  directionOfArticle,
  markPart,
  titleOf,
  topicList,
  when,
} from '../components/components.ts';
import { attemptAt, pageForm } from '../components/forms.ts';
import { beforeField } from '../forms/before.ts';
import { shownDetails } from '../forms/details.ts';
import { signInFirst } from '../next-path.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { descriptionOf } from '../metadata.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import type { Site } from '../site.ts';
import { lengthOf } from '@colophon/text/lib/word-count';
import { findWritten } from './own-article.ts';
import { detailFields } from './publish-fields.ts';

/** What the page says after something was done, by the parameter `said`. */
const said: Readonly<Record<string, { readonly words: string; readonly warns?: true }>> = {
  saved: { words: 'The details are saved.' },
  changed: {
    words:
      'The text has changed since you opened this page. Your details are saved, and nothing is published yet. Read the newest text, then publish it.',
    warns: true,
  },
  details: {
    words:
      'The details have changed since you opened this page, for example in another tab. What you changed here is saved, and nothing was published. Look at the details, then go on.',
    warns: true,
  },
};

/** The revision that readers see; undefined for a draft. */
async function publishedOf({ invoke, caller }: PageContext, { id, status }: Article) {
  if (status === 'draft') return undefined;
  return (await invoke('readArticle', { caller, params: { id } })).body;
}

const audiences = {
  public: 'Everyone',
  unlisted: 'Everyone who has the address',
  private: 'Only you and the moderators',
} as const;

function changes(site: Site, article: Article, published: Article | undefined): Content {
  if (published === undefined) return 'Nothing yet: it is a draft.';
  if (article.status === 'hidden') return 'Nothing: a moderator has hidden it.';
  if (published.revision_id === article.revision_id) return 'Exactly this text.';
  const path = `/write/${article.id}/history?from=${published.revision_id}&to=${article.revision_id}`;
  return html`An older text. <a href="${site.at(path)}">See what publishing changes</a>.`;
}

/** What readers see of the article, or will see once it is published. */
function summary(site: Site, article: Article, published: Article | undefined): Html {
  const { url, content, visibility, published_at } = article;
  const beginning = descriptionOf(article) || excerpt(content);
  const title = titleOf({ ...article, excerpt: beginning });
  return html`<section class="summary" aria-labelledby="summary">
<h2 id="summary" class="hidden">What readers see</h2>
<div class="teaser" dir="${directionOfArticle({ ...article, excerpt: beginning })}">
<p class="title" ${markPart(article, title)}>${title}</p>
${beginning !== '' && html`<p class="excerpt" ${markPart(article, beginning)}>${beginning}</p>`}
<div class="under">${topicList(site, article.topics)}</div>
</div>
<dl>
<div><dt>Length</dt><dd>${lengthOf(content)}</dd></div>
<div><dt>Address</dt><dd class="address">${addressText(url)}</dd></div>
<div><dt>Who can read it</dt><dd>${audiences[visibility]}</dd></div>
<div><dt>Readers see now</dt><dd>${changes(site, article, published)}</dd></div>
${published_at !== null && html`<div><dt>First published</dt><dd>${when(published_at)}</dd></div>`}
<div><dt>Signature</dt><dd>None. Only agents sign their articles.</dd></div>
</dl>
</section>`;
}

async function readChoices({ invoke, caller }: PageContext) {
  const [topics, images] = await Promise.all([
    invoke('listTopics', { caller: null, params: {}, query: { order: 'size', limit: 100 } }),
    // A session of a link may lack the scope; the image is then left as it is.
    caller?.scopes.includes('media:write') === true
      ? invoke('listMedia', {
          caller,
          params: {},
          query: { status: 'ready', kind: 'image', limit: 23 },
        })
      : undefined,
  ]);
  return { topics: topics.body.items, images: images?.body.items ?? [] };
}

function note(asked: PageRequest): Content {
  const named = queryValue(asked, 'said') ?? '';
  const one = Object.hasOwn(said, named) ? said[named] : undefined;
  if (one === undefined || asked.refused !== undefined) return null;
  return html`<p class="note${one.warns && ' warning'}" id="said" role="status" tabindex="-1">${one.words}</p>`;
}

/** What changes at once when the details of an article that readers see are saved. */
function atOnce({ status }: Article): Content {
  if (status === 'draft') return null;
  return html`<p class="small">Saving changes everything but topics and description for readers at once. Topics and description change when you publish.</p>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showPublish(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller, scripts } = web;
  if (caller === null) return signInFirst(asked);
  const { id = '' } = asked.params;
  const article = await findWritten(web, caller, id);
  const [published, choices] = await Promise.all([publishedOf(web, article), readChoices(web)]);
  const isDraft = published === undefined;
  const attempt = attemptAt(asked, 'publish');
  const form = html`<input type="hidden" name="revision" value="${article.revision_id}">${beforeField(shownDetails(article))}
${detailFields(site, article, choices, attempt)}
<div class="finish">
${atOnce(article)}
<p><button name="act" value="save" class="quiet">Save details</button> <button name="act" value="publish">${isDraft ? 'Publish' : 'Publish changes'}</button></p>
</div>`;
  const main = html`<header class="intro">
<h1>Publish</h1>
${articleNav(site, article, { relation: 'author', current: 'publish' })}
</header>
${note(asked)}
${summary(site, article, published)}
${pageForm({ site, asked }, { name: 'publish', path: `/write/${id}/publish`, kind: 'form publishing' }, form)}`;
  const page = {
    title: `Publish: ${titleOf({ ...article, excerpt: '' })}`,
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
    script: scripts.topics,
  };
  return pageResponse(web, page, false);
}
