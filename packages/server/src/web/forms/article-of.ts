// The article that a form of its page is about.
import type { PageContext } from '../context.ts';
import { articleAt } from '../pages/article.ts';
import type { Article } from '../page-services.ts';
import type { SentForm } from './form.ts';

/** @throws not-found, gone, unavailable-for-legal-reasons: as the page does for the sender */
export async function articleOf(
  web: Pick<PageContext, 'invoke'>,
  { asked, caller }: SentForm,
): Promise<Article> {
  return (await articleAt(web, asked.params['place'] ?? '', caller)).article;
}
