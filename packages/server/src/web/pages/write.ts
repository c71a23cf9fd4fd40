// `/write` and `/write/{id}`: the editor, with a new article or the newest revision of the person's own.
import { randomBytes } from 'node:crypto';
import { limits, mediaTypes } from '@colophon/contract';
import { problem } from '#http';
import { assetPaths } from '../assets.ts';
import { titleOf, when } from '../components/components.ts';
import { attemptAt, faultBelow, pageForm } from '../components/forms.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { allowingStyles } from '../headers.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import { editorTools } from './editor-tools.ts';

const formName = 'save';

/** @throws not-found, gone, unavailable-for-legal-reasons; forbidden: for somebody else's article */
async function ownArticle({ invoke, caller }: PageContext, id: string): Promise<Article> {
  const query = { view: 'latest' } as const;
  const { body } = await invoke('readArticle', { caller, params: { id }, query });
  if (body.author.id === caller?.id) return body;
  throw problem('forbidden', 'Only its author can edit this article.');
}

const states: Partial<Record<Article['status'], string>> = {
  draft: 'Draft',
  published: 'Published',
  unpublished: 'Unpublished',
  hidden: 'Hidden by a moderator',
};

/** Whether the text is saved. The script writes what happens to it while it is typed. */
function statusLine(article: Article | undefined): Html {
  const state = article === undefined ? 'New article' : (states[article.status] ?? article.status);
  return html`<p class="editor-status"><strong id="state">${state}</strong> <span id="status" role="status">${article !== undefined && html`Saved ${when(article.updated_at)}`}</span></p>`;
}

const places = [
  { path: 'preview', label: 'Preview' },
  { path: 'history', label: 'History' },
  { path: 'remove', label: 'Remove…' },
  { path: 'publish', label: 'Publish…', kind: 'button' },
] as const;

/**
 * Links to the other pages of the article. A new one has none until it is saved; the script shows the last one,
 * which saves first.
 */
function links({ site }: PageContext, article: Article | undefined): Html {
  const items = places.map((place) => {
    const href =
      article !== undefined && html` href="${site.at(`/write/${article.id}/${place.path}`)}"`;
    const kind = 'kind' in place && html` class="${place.kind}"`;
    const isLater = article === undefined && html` hidden`;
    const link = html`<a data-place="${place.path}"${href}${kind}${'kind' in place && isLater}>${place.label}</a>`;
    return html`<li${!('kind' in place) && isLater}>${link}</li>`;
  });
  return html`<nav class="editor-links" id="links" aria-label="Article"><ul>${items}</ul></nav>`;
}

/** Where the article was changed elsewhere: the text as it is there, beside the one that was typed. */
function otherText(article: Article, content: Content): Html {
  return html`<section class="editor-other" aria-labelledby="other">
<h2 id="other">This article was changed elsewhere</h2>
<p>Below is the text as it is now. Yours is in the field above. Take over what you want to keep, then press “Save draft” again. The other version stays in the history.</p>
<h3 dir="auto">${article.title}</h3>
<pre class="typed" dir="auto">${content}</pre>
</section>`;
}

const imageTypes = mediaTypes.filter((type) => type.startsWith('image/')).join(',');

const nameOf = (article: Article) => titleOf({ ...article, excerpt: '' });

/** What the script needs to know. */
function facts({ site, scripts }: PageContext, article: Article | undefined, nonce: string): Html {
  return html`<div id="editor" class="editor" data-article="${article?.id}" data-status="${article?.status}" data-nonce="${nonce}" data-site="${site.baseUrl}" data-media="${site.mediaBaseUrl}" data-file-max="${limits.media_bytes_max}" data-types="${imageTypes}" data-alt-max="${limits.alt_text_max}" data-renderer="${site.at(scripts['write-preview'])}" data-comparer="${site.at(scripts['write-compare'])}">`;
}

const invalid = (fault: string | undefined): Content =>
  fault !== undefined && html` aria-invalid="true" autofocus`;

/** An empty title is stored as a blank one. */
function titleTyped({ title }: Pick<Article, 'title'>): string {
  return title.trim() === '' ? '' : title;
}

/** The texts of the page, escaped. */
interface Texts {
  readonly title: Content;
  readonly content: Content;
  /** The text of the article as it was changed elsewhere. */
  readonly other: Content;
}

const isStale = ({ refused }: PageRequest) => refused?.problem.problem === 'precondition-failed';

async function textsOf(
  { longText }: PageContext,
  asked: PageRequest,
  article: Article | undefined,
): Promise<Texts> {
  const { value } = attemptAt(asked, formName);
  return {
    title: await longText(value('title', article && titleTyped(article))),
    content: await longText(value('content', article?.content)),
    other: isStale(asked) && article !== undefined ? await longText(article.content) : null,
  };
}

/** The fields for title and text. The script puts its editor and the preview into their place. */
function fields(asked: PageRequest, article: Article | undefined, texts: Texts): Html {
  const { fault } = attemptAt(asked, formName);
  const [title, content] = [fault('title'), fault('content')];
  return html`<label class="hidden" for="title">Title</label>
<textarea class="editor-title" id="title" name="title" rows="1" dir="auto" autocomplete="off" enterkeyhint="next" placeholder="Title" aria-describedby="title-fault"${invalid(title)}${article === undefined && html` autofocus`}>
${texts.title}</textarea>
${faultBelow('title', title)}
${editorTools()}
<div class="editor-panes">
<div class="editor-text" id="text">
<label class="hidden" for="content" id="content-label">Text, in Markdown</label>
<textarea id="content" name="content" rows="24" dir="auto" autocomplete="off" required placeholder="Write here. Markdown works." aria-describedby="content-fault"${invalid(content)}>
${texts.content}</textarea>
${faultBelow('content', content)}
</div>
<section class="editor-preview" id="preview" aria-label="Preview" tabindex="0" hidden><article class="prose" dir="auto"></article></section>
</div>`;
}

interface Shown {
  readonly article: Article | undefined;
  readonly nonce: string;
  readonly texts: Texts;
}

/** Characters. An id is shorter; what is longer names no revision. */
const revisionMax = 64;

function editor(web: PageContext, asked: PageRequest, { article, nonce, texts }: Shown): Html {
  const { value } = attemptAt(asked, formName);
  const path = article === undefined ? '/write' : `/write/${article.id}`;
  // A stale form gets the current revision, so that it is saved on top of it when it is sent again.
  const isOther = isStale(asked);
  const sent = value('revision', article?.revision_id).slice(0, revisionMax);
  const revision = isOther ? article?.revision_id : sent;
  const form = pageForm(
    { site: web.site, asked },
    { name: formName, path, kind: 'editor-form', isPlain: true },
    html`<input type="hidden" name="revision" value="${revision}">
<div class="editor-bar">${statusLine(article)}${links(web, article)}</div>
${fields(asked, article, texts)}
<div class="editor-foot"><p class="small" id="count"></p><p class="small"><a href="${web.site.at('/articles')}">Your articles</a></p><p class="small" id="editor-hint" hidden>Tab indents. To leave the text by keyboard, press Escape, then Tab.</p><p><button type="submit">Save draft</button></p></div>`,
  );
  const heading = article === undefined ? 'Write an article' : `Edit ${nameOf(article)}`;
  return html`${facts(web, article, nonce)}
<h1 class="hidden">${heading}</h1>
${form}
${isOther && article !== undefined && otherText(article, texts.other)}
</div>`;
}

/** Shows the editor. */
export async function showWrite(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  if (web.caller === null) return signInFirst(asked);
  const { id } = asked.params;
  const article = id === undefined ? undefined : await ownArticle(web, id);
  const texts = await textsOf(web, asked, article);
  // The editor makes its style rules itself.
  const nonce = randomBytes(16).toString('base64');
  const page = {
    title: article === undefined ? 'Write' : nameOf(article),
    description: 'Write in Markdown, and see the article as its readers will.',
    canonical: undefined,
    noindex: true,
    main: editor(web, asked, { article, nonce, texts }),
    current: 'write' as const,
    script: web.scripts.write,
    sheet: assetPaths.editor,
  };
  const shown = pageResponse(web, page, false);
  return { ...shown, headers: allowingStyles(shown.headers, nonce) };
}
