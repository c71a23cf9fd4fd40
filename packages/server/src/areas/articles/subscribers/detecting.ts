// The subscriber that detects the language of an article whose author could not wait for it.
import type { TextWork } from '@colophon/text';
import type { LanguageUnknown, Subscriber } from '#outbox';
import { articleChanged, languageChanged } from '../outbox.ts';
import { findRevision, lockArticle, setDetails } from '../queries/index.ts';
import type { ArticleRow } from '../queries/index.ts';
import { changeTime } from '../rules/articles.ts';

/** Whether nobody has named a language: that of an erased article is forgotten. */
function isUndetected({ language, status }: Pick<ArticleRow, 'language' | 'status'>) {
  return language === 'und' && status !== 'erased';
}

/** Returns the subscriber. A language that the author has named meanwhile stays, and so does an erased article. */
export function detectingSubscriber(text: Pick<TextWork, 'detectLanguage'>): Subscriber {
  const onUndetected: Subscriber<LanguageUnknown> = {
    type: 'language.unknown',
    name: 'detectLanguage',
    // Authors who wait for their language go first, and jobs that wait for a busy thread hold up nothing else.
    priority: 'background',
    alone: 'detect',
    run: async ({ bucket, payload }, { db, now }) => {
      const key = { bucket, id: payload.article_id };
      const newest = await findRevision(db, key, null);
      if (newest === undefined || newest.content === null || !isUndetected(newest)) return;
      const language = await text.detectLanguage(newest.content);
      if (language === undefined)
        throw new Error('The language could not be detected. It is tried again.');
      if (language === 'und') return;
      await db.transaction(async (tx) => {
        const article = await lockArticle(tx, key);
        if (article === undefined || !isUndetected(article)) return;
        void setDetails(tx, key, {
          visibility: article.visibility,
          disclosure: article.disclosure,
          canonicalUrl: article.canonical_url,
          featuredMediaId: undefined,
          language,
          now: changeTime(article, now()),
        });
        if (article.published_revision_id === null) return;
        articleChanged(tx, key, now());
        languageChanged(tx, key, now());
      });
    },
  };
  return onUndetected as Subscriber;
}
