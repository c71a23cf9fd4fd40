// Quotations in comments that are no longer in the article: found once for each revision, and cached.
import type { Client } from '@colophon/text';
import type { Article, ChangedSince, Comment, PageServices } from './page-services.ts';

/** Comments whose quotations are known. */
const knownMax = 20_000;

type Known = ChangedSince | 'none';

/** Whether a comment may quote: a line begins with `>`. */
function mayQuote({ content, status }: Comment): boolean {
  if (status !== 'visible' || content === null) return false;
  return content.startsWith('>') || /\n {0,3}>/.test(content);
}

export interface ChangedQuotesOf {
  /** Returns the quotations that have changed, by comment. `rendered` returns the HTML of a comment. */
  (
    article: Article,
    comments: readonly Comment[],
    rendered: (markdown: string) => Promise<string>,
  ): Promise<ReadonlyMap<string, ChangedSince>>;
  /** Whether all that was asked for was found out. */
  readonly isWhole: () => boolean;
}

/** Returns a function that finds the changed quotations of one page for a client. */
export function openChangedQuotes(find: PageServices['changedQuotes']) {
  const known = new Map<string, Known>();

  function keep(key: string, value: Known): void {
    known.set(key, value);
    const [oldest] = known.keys();
    if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
  }

  return (client: Client | undefined): ChangedQuotesOf => {
    let missed = 0;

    async function findAll(
      article: Article,
      comments: readonly Comment[],
      rendered: (markdown: string) => Promise<string>,
    ): Promise<ReadonlyMap<string, ChangedSince>> {
      const keyOf = ({ id }: Comment) => `${article.revision_id} ${id}`;
      const quoting = comments.filter(mayQuote);
      const unknown = quoting.filter((one) => !known.has(keyOf(one)));
      if (unknown.length > 0) {
        const asked = await Promise.all(
          unknown.map(async ({ id, created_at, content }) => ({
            id,
            created_at,
            html: await rendered(content ?? ''),
          })),
        );
        const found = await find(article, asked, client);
        if (found === undefined) missed += 1;
        else {
          const byId = new Map(found.map((one) => [one.id, one]));
          for (const one of unknown) keep(keyOf(one), byId.get(one.id) ?? 'none');
        }
      }
      return new Map(
        quoting.flatMap((one) => {
          const changed = known.get(keyOf(one));
          return changed === undefined || changed === 'none' ? [] : [[one.id, changed]];
        }),
      );
    }

    return Object.assign(findAll, { isWhole: () => missed === 0 });
  };
}
