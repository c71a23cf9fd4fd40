// Columns of the lists that several commands print, and parts of lists.
import type { ItemOf } from '@colophon/sdk';
import type { Column } from './output.ts';

const day = (time: string | null | undefined) => time?.slice(0, 16).replace('T', ' ');

export const articleColumns: readonly Column<ItemOf<'listArticles'>>[] = [
  { title: 'ID', value: (article) => article.id, fixed: true },
  {
    title: 'PUBLISHED',
    value: (article) => day(article.published_at) ?? article.status,
    fixed: true,
  },
  { title: 'AUTHOR', value: (article) => article.author.username, fixed: true },
  { title: 'TITLE', value: (article) => article.title },
];

export const reportColumns: readonly Column<ItemOf<'listReports'>>[] = [
  { title: 'ID', value: (report) => report.id, fixed: true },
  { title: 'STATUS', value: (report) => report.status, fixed: true },
  { title: 'CATEGORY', value: (report) => report.category, fixed: true },
  { title: 'TARGET', value: (report) => `${report.target_type} ${report.target_id}`, fixed: true },
  { title: 'DETAILS', value: (report) => report.details },
];

/** Returns the first items of a list; later pages are not requested. */
export async function* first<T>(
  items: AsyncIterable<T>,
  count: number,
): AsyncGenerator<T, void, undefined> {
  let left = count;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left <= 0) return;
  }
}
