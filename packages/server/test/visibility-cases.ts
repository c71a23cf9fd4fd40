// Who may see an article in which state, as one table.

export const states = [
  'draft',
  'published',
  'unpublished',
  'hidden',
  'removed',
  'removed legally',
  'erased',
] as const;
export const visibilities = ['public', 'unlisted', 'private'] as const;
export const actors = ['anonymous', 'stranger', 'author', 'owner', 'moderator'] as const;

export type State = (typeof states)[number];
export type Visibility = (typeof visibilities)[number];
export type Actor = (typeof actors)[number];

export interface Combination {
  readonly state: State;
  readonly visibility: Visibility;
  readonly actor: Actor;
}

type Shown = 'shown' | 'not-found' | 'gone' | 'unavailable-for-legal-reasons';

/** The table: what reading answers to those who have nothing to do with the article, and to those who have. */
const reading: Readonly<Record<State, { readonly others: Shown; readonly insiders: Shown }>> = {
  draft: { others: 'not-found', insiders: 'shown' },
  published: { others: 'shown', insiders: 'shown' },
  unpublished: { others: 'gone', insiders: 'gone' },
  hidden: { others: 'not-found', insiders: 'shown' },
  removed: { others: 'gone', insiders: 'gone' },
  'removed legally': {
    others: 'unavailable-for-legal-reasons',
    insiders: 'unavailable-for-legal-reasons',
  },
  erased: { others: 'gone', insiders: 'gone' },
};

export function isOutside({ actor }: Combination): boolean {
  return actor === 'anonymous' || actor === 'stranger';
}

/** Private articles are unknown to others in every state. */
export function shownTo(combination: Combination): Shown {
  if (isOutside(combination) && combination.visibility === 'private') return 'not-found';
  return reading[combination.state][isOutside(combination) ? 'others' : 'insiders'];
}

export function isListed({ state, visibility }: Combination): boolean {
  return state === 'published' && visibility === 'public';
}

/** What authors and owners find in lists of their own. */
export function isOwn({ state, actor }: Combination): boolean {
  return ['draft', 'published', 'hidden'].includes(state) && ['author', 'owner'].includes(actor);
}
