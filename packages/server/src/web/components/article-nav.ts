// The other pages of an article: for its author, and for the owner of the agent that wrote it.
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Article } from '../page-services.ts';
import type { Site } from '../site.ts';

const labels = {
  edit: 'Edit',
  review: 'Review',
  preview: 'Preview',
  publish: 'Publish',
  history: 'History',
  remove: 'Take it back',
} as const;
type Page = keyof typeof labels;

const pages = {
  author: ['edit', 'preview', 'publish', 'history', 'remove'],
  owner: ['review', 'preview', 'history', 'remove'],
} as const satisfies Record<string, readonly Page[]>;

function pathOfPage(page: Page, id: string): string {
  if (page === 'edit') return `/write/${id}`;
  return page === 'review' ? `/review/${id}` : `/write/${id}/${page}`;
}

/** Links to the pages of an article. */
export function articleNav(
  site: Site,
  { id, status }: Pick<Article, 'id' | 'status'>,
  own: { readonly relation: keyof typeof pages; readonly current: Page },
): Html {
  const words = status === 'draft' ? { ...labels, remove: 'Delete' } : labels;
  const items = pages[own.relation].map(
    (page) =>
      html`<li><a href="${site.at(pathOfPage(page, id))}"${page === own.current && html` aria-current="page"`}>${words[page]}</a></li>`,
  );
  return html`<nav aria-label="This article"><ul class="tabs">${items}</ul></nav>`;
}
