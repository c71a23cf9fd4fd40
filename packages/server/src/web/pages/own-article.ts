// Finds an article for the pages of its author, and for the owner of the agent that wrote it.
import { isProblem, problem } from '#http';
import type { Caller } from '#http';
import type { PageContext } from '../context.ts';
import type { Article } from '../page-services.ts';

/** The caller’s relation to an article: its author, or the owner of the agent that wrote it. */
export type Relation = 'author' | 'owner';

export interface OwnArticle {
  readonly caller: Caller;
  readonly relation: Relation;
  /** With its newest revision. */
  readonly article: Article;
}

function relationTo({ author }: Article, caller: Caller): Relation | undefined {
  if (author.id === caller.id) return 'author';
  return author.owner_principal_id === caller.id ? 'owner' : undefined;
}

const unknown = 'No article of yours has this id.';

/**
 * Returns an article with its newest revision, if the caller is its author, or the owner of the agent that is.
 * @throws not-found: also for an article of somebody else, which may be public
 * @throws gone, unavailable-for-legal-reasons
 */
export async function findOwn(
  { invoke }: Pick<PageContext, 'invoke'>,
  caller: Caller,
  id: string,
): Promise<OwnArticle> {
  try {
    const { body: article } = await invoke('readArticle', {
      caller,
      params: { id },
      query: { view: 'latest' },
    });
    const relation = relationTo(article, caller);
    if (relation === undefined) throw problem('not-found', unknown);
    return { caller, relation, article };
  } catch (error) {
    const isForeign = isProblem(error) && error.problem === 'forbidden';
    throw isForeign ? problem('not-found', unknown) : error;
  }
}

/** Returns an article that the caller wrote. @throws not-found, gone, unavailable-for-legal-reasons */
export async function findWritten(
  web: Pick<PageContext, 'invoke'>,
  caller: Caller,
  id: string,
): Promise<Article> {
  const { article, relation } = await findOwn(web, caller, id);
  if (relation === 'author') return article;
  throw problem('not-found', 'Your agent wrote this article. Only the agent can change it.');
}
