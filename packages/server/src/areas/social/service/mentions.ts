// What notifications mention: articles, comments and participants, as the recipient may see them now.
import { isShown } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { articleUrl } from '#lib/slug';
import { findAuthors, findShownEnds, listByIds } from '../queries/index.ts';
import { authorView } from '../views/comments.ts';
import { linkedArticleView } from '../views/edges.ts';

export interface MentionedIds {
  readonly articles: readonly string[];
  readonly comments: readonly string[];
  readonly principals: readonly string[];
}

interface Reading {
  readonly db: Db;
  readonly config: Pick<Config, 'baseUrl'>;
  readonly caller: Caller;
}

const distinct = (ids: readonly string[]) => [...new Set(ids)];

/**
 * Returns records by their ids, in three statements that run at the same time. What the caller may not see
 * now is missing; a removed article has its status and no title. `comments` contains texts.
 */
export async function mentionsOf({ db, config, caller }: Reading, ids: MentionedIds) {
  const [ends, comments, authors] = await Promise.all([
    findShownEnds(db, distinct(ids.articles)),
    ids.comments.length === 0 ? [] : listByIds(db, distinct(ids.comments)),
    findAuthors(
      db,
      ids.principals.map((id) => ({ author_id: id })),
    ),
  ]);
  const shown = [...ends.values()].filter((end) => isShown(end, caller));
  const articles = new Map(
    shown.map((end) => [end.id, linkedArticleView(end, (one) => articleUrl(config.baseUrl, one))]),
  );
  const texts = comments.flatMap(({ id, article_id, status, content }) =>
    status === 'visible' && content !== null && articles.get(article_id)?.url
      ? [[id, content] as const]
      : [],
  );
  const principals = Array.from(authors, ([id, author]) => [id, authorView(author)] as const);
  return { articles, comments: new Map(texts), principals: new Map(principals) };
}
