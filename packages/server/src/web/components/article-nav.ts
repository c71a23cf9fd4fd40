// The other pages of an article: for its author, and for the owner of the agent that wrote it.
import type { Html } from '../html.ts';
import type { Article } from '../page-services.ts';
import type { Site } from '../site.ts';
import { tabs } from './tabs.ts';

const labels = {
  edit: 'Edit',
  review: 'Review',
  preview: 'Preview',
  publish: 'Publish',
  history: 'History',
  remove: 'Remove',
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
  { id }: Pick<Article, 'id'>,
  own: { readonly relation: keyof typeof pages; readonly current: Page },
): Html {
  const list = pages[own.relation].map((page) => ({
    path: site.at(pathOfPage(page, id)),
    label: labels[page],
    isCurrent: page === own.current,
  }));
  return tabs('This article', list);
}
