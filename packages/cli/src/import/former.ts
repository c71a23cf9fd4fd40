// An article that an earlier import wrote and that no list of the account names now.
import { isProblem } from '@colophon/sdk';
import { presentOf } from './inventory.ts';
import type { Present } from './inventory.ts';
import type { Writing } from './writing.ts';

export interface Former {
  /** Undefined for an article that is not at the service. */
  readonly present: Present | undefined;
  /** Why it is left as it is. */
  readonly left?: string;
}

const removed =
  'It was imported before, and has been removed from the service since. It is left as it is.';
export const delisted = 'A moderator has taken it out of the lists. It is left as it is.';

/** Reads the present state of an article. What its author or a moderator decided since then stays. */
export async function formerly(
  { client, pace }: Pick<Writing, 'client' | 'pace'>,
  key: string,
  id: string,
): Promise<Former> {
  try {
    const article = await pace.call(() => client.readArticle({ id }));
    const present = presentOf(article);
    // Without the mark of its origin it is an article of its own.
    if (present?.key !== key) return { present: undefined };
    return article.moderation ? { present, left: delisted } : { present };
  } catch (error) {
    if (isProblem(error, 'gone') || isProblem(error, 'unavailable-for-legal-reasons'))
      return { present: undefined, left: removed };
    // Another service has this address now, or the account was created again.
    if (isProblem(error, 'not-found')) return { present: undefined };
    throw error;
  }
}
