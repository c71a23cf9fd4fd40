// Every table that contains the text of articles: what an erasure must reach.

/** A table that contains text of articles or something derived from it. */
interface TextStore {
  readonly table: string;
  /** Columns whose text is deleted. */
  readonly columns: readonly string[];
  /**
   * Whether the text is deleted in the transaction of the erasure, or moments later by the subscriber to its
   * message, which is how a lower area reaches a higher one.
   */
  readonly when: 'at once' | 'article.erased';
}

/** All such tables. A new table with text of articles fails a test until it is listed here. */
export const textStores: readonly TextStore[] = [
  {
    table: 'contents',
    columns: ['title', 'content', 'metadata', 'excerpt'],
    when: 'at once',
  },
  // Deleted with the content by its foreign key.
  { table: 'renderings', columns: ['html', 'headings', 'signals'], when: 'at once' },
  { table: 'articles', columns: ['canonical_url'], when: 'at once' },
  { table: 'idempotency_keys', columns: ['body'], when: 'at once' },
  { table: 'article_search', columns: ['document', 'title', 'marks'], when: 'article.erased' },
  // Words that no other title contains.
  { table: 'search_words', columns: ['word'], when: 'article.erased' },
  { table: 'article_topics', columns: ['topic', 'name'], when: 'article.erased' },
  // Topics that no other article has.
  { table: 'topics', columns: ['slug'], when: 'article.erased' },
];
