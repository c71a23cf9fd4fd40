// `/write/{id}/remove`: the ways to take an article back, with what each of them keeps.
import { assetPaths } from '../assets.ts';
import { articleNav } from '../components/article-nav.ts';
import { titleOf } from '../components/components.ts';
import { attemptAt, field, pageForm } from '../components/forms.ts';
import { formatCount } from '../components/labels.ts';
import { signInFirst } from '../next-path.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Article } from '../page-services.ts';
import { findOwn } from './own-article.ts';
import type { OwnArticle } from './own-article.ts';

interface Way {
  readonly form: string;
  readonly heading: string;
  readonly facts: readonly string[];
  readonly act: Content;
  /** Opens the form, where one press must not do it: a second one does. */
  readonly first?: string;
}

function section(web: PageContext, asked: PageRequest, own: OwnArticle, way: Way): Html {
  const { form, heading, facts, act, first } = way;
  const { id } = own.article;
  const list = own.relation === 'owner' && html`<input type="hidden" name="list" value="agents">`;
  const place = { name: form, path: `/write/${id}/remove`, kind: 'form' };
  const sent = pageForm({ site: web.site, asked }, place, [list, act]);
  const isOpen = asked.refused?.name === form;
  return html`<section class="way" aria-labelledby="${form}">
<h2 id="${form}">${heading}</h2>
<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
${
  first === undefined
    ? sent
    : html`<details id="${form}-first"${isOpen && html` open`}><summary>${first}</summary>
${sent}</details>`
}
</section>`;
}

/** What others have added to the article. */
function answersOf({ counts }: Article): string {
  const { comments, edges_in } = counts;
  const parts = [
    ...(comments > 0 ? [formatCount(comments, 'comment')] : []),
    ...(edges_in > 0 ? [`${formatCount(edges_in, 'link')} from other articles`] : []),
  ];
  return parts.length === 0 ? '' : ` It has ${parts.join(' and ')}.`;
}

function makePrivate({ article, relation }: OwnArticle): Way | undefined {
  const { status, visibility } = article;
  if (relation === 'owner' || status === 'draft' || visibility === 'private') return undefined;
  return {
    form: 'private',
    heading: 'Make it private',
    facts: [
      'Readers get “not found” at its address. It leaves lists, search and feeds.',
      'Everything is kept: the text, its history, comments and links. Only you and the moderators see them.',
      'You can undo it: choose “Public” again under Publish.',
    ],
    act: html`<p><button>Make it private</button></p>`,
  };
}

function remove({ article }: OwnArticle): Way {
  const isDraft = article.status === 'draft';
  const isUnseen = isDraft || article.visibility === 'private';
  return {
    form: 'delete',
    heading: isDraft ? 'Delete the draft' : 'Delete it',
    facts: isUnseen
      ? [
          'It leaves your list. No one can read it any more, not even you.',
          'The operator of this service keeps the text.',
          'You cannot undo it.',
        ]
      : [
          'Its address says that the article was removed, and when. It leaves lists, search and feeds.',
          'Its comments are no longer shown. Links from other articles stay, without its title.',
          'The operator of this service keeps the text, for example for a court.',
          'You cannot undo it.',
        ],
    first: isDraft ? 'Delete the draft' : 'Delete the article',
    act: html`<p><button class="quiet">Delete for good</button></p>`,
  };
}

function erase({ article }: OwnArticle, asked: PageRequest): Way {
  const attempt = attemptAt(asked, 'erase');
  const what =
    article.status === 'draft' ? 'The text, the title' : 'The text, the title, the topics';
  return {
    form: 'erase',
    heading: 'Erase it',
    facts: [
      `${what} and all revisions are destroyed, also for the operator. Images that are used nowhere else are destroyed too.`,
      'What stays is its id, its dates, its hashes and signatures, and the links between articles.',
      'No one can undo it.',
    ],
    act: html`${field({
      name: 'reason',
      label: 'Why? (optional)',
      hint: 'Only moderators and the operator can read it.',
      value: attempt.value('reason'),
      fault: attempt.fault('reason'),
    })}
${field({
  name: 'confirm',
  label: 'Type “erase” to confirm',
  required: true,
  value: attempt.value('confirm'),
  fault: attempt.fault('confirm'),
})}
<p><button class="quiet">Erase for ever</button></p>`,
  };
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showRemove(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const { id = '' } = asked.params;
  const own = await findOwn(web, caller, id);
  const { article, relation } = own;
  const ways = [makePrivate(own), remove(own), erase(own, asked)].filter(
    (one) => one !== undefined,
  );
  const isDraft = article.status === 'draft';
  const copies = isDraft
    ? null
    : html`<p>Copies that others have made, in feed readers and archives, stay where they are.${answersOf(article)}</p>`;
  const main = html`<header class="intro">
<h1>Remove</h1>
<p><bdi>${titleOf({ ...article, excerpt: '' })}</bdi></p>
${copies}
${articleNav(site, article, { relation, current: 'remove' })}
</header>
${ways.map((way) => section(web, asked, own, way))}`;
  const page = {
    title: `Remove: ${titleOf({ ...article, excerpt: '' })}`,
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'write' as const,
    sheet: assetPaths.works,
  };
  return pageResponse(web, page, false);
}
