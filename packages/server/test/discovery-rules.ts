// What every place of discovery must answer, by rule: which states are shown to whom, and when.
import type { Article, Person, Remark } from './discovery-scenarios.ts';
import { shownTo } from './visibility-cases.ts';
import type { Actor } from './visibility-cases.ts';

/** Right after the change; when the pipeline is idle; when everything was rebuilt. */
export type Moment = 'at once' | 'idle' | 'rebuilt';

export type Reader = 'anonymous' | 'follower' | 'author' | 'moderator';

/** A number: this status, and nothing of it. `either`: the pipeline has yet to say. */
export type Expected = 'shown' | 'absent' | 'either' | number;

export interface When {
  readonly reader: Reader;
  readonly moment: Moment;
}

export type Rule<S> = (subject: S, when: When) => Expected;

const statuses = { 'not-found': 404, gone: 410, 'unavailable-for-legal-reasons': 451 } as const;

const actors: Readonly<Record<Reader, Actor>> = {
  anonymous: 'anonymous',
  follower: 'stranger',
  author: 'author',
  moderator: 'moderator',
};

function isLate(slow: boolean | undefined, { moment }: When): boolean {
  return slow === true && moment === 'at once';
}

/** What reading the article answers. */
export const byReading: Rule<Article> = ({ rule }, when) => {
  if (isLate(rule.slow, when)) return 'either';
  const { state, visibility = 'public' } = rule;
  const shown = shownTo({ state, visibility, actor: actors[when.reader] });
  return shown === 'shown' ? 'shown' : statuses[shown];
};

/** Lists that are read from the articles themselves. */
export const listedAtOnce: Rule<Article> = ({ rule }, when) => {
  if (isLate(rule.slow, when)) return 'either';
  return rule.listed ? 'shown' : 'absent';
};

/** Lists that are derived: what is to be found may come later, and what is not is never found. */
export const listedSoon: Rule<Article> = (article, when) => {
  const listed = listedAtOnce(article, when);
  const changes = article.rule.change !== undefined && when.moment === 'at once';
  return listed === 'shown' && changes ? 'either' : listed;
};

export const never: Rule<Article> = (_, { moment }) => (moment === 'at once' ? 'either' : 'absent');

/** Lists for the caller: the works of accounts that the caller follows. A closed account has no followers. */
export const byFollowing: Rule<Article> = (article, when) => {
  if (when.reader === 'anonymous') return 401;
  if (when.reader === 'author') return article.rule.state === 'draft' ? 'either' : 'absent';
  if (when.reader === 'moderator') return 'absent';
  if (article.author.closed !== undefined) return when.moment === 'at once' ? 'either' : 'absent';
  return listedAtOnce(article, when);
};

/**
 * Only callers who may read it and are not strangers are led to what is not public. A link that comes back is shown
 * to strangers once the pipeline has seen it.
 */
export const byLink: Rule<Article> = (article, when) => {
  const isInside = when.reader === 'author' || when.reader === 'moderator';
  if (!isInside) return listedSoon(article, when);
  const read = byReading(article, when);
  return typeof read === 'number' ? 'absent' : read;
};

/** Short lists: what is listed may have no room, and what is not listed is never there. */
export function short(rule: Rule<Article>): Rule<Article> {
  return (article, when) => {
    const expected = rule(article, when);
    return expected === 'shown' ? 'either' : expected;
  };
}

export const remarkRead: Rule<Remark> = ({ on, visible, hidden, slow }, when) => {
  const isInside = when.reader === 'moderator' || when.reader === 'author';
  const read = byReading(on, when);
  if (read !== 'shown') return read === 'either' ? 'either' : 'absent';
  if ((hidden && isInside) || isLate(slow, when)) return 'either';
  return visible ? 'shown' : 'absent';
};

export const remarkFound: Rule<Remark> = ({ on, visible, slow, late }, when) => {
  if (isLate(slow, when)) return 'either';
  if (!visible) return 'absent';
  const listed = listedAtOnce(on, when);
  return listed === 'shown' && isLate(late, when) ? 'either' : listed;
};

export const personFound: Rule<Person> = ({ closed, deindexed, late }, when) => {
  if (closed !== undefined || deindexed) return 'absent';
  return isLate(late, when) ? 'either' : 'shown';
};

export const personRead: Rule<Person> = ({ closed }) => (closed === undefined ? 'shown' : 410);
