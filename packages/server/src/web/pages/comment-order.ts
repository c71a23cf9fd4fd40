// How the comments below an article are ordered and chosen: by time or by stance, all or those of one stance.
import { stances } from '@colophon/contract';
import { tabs } from '../components/tabs.ts';
import { formatCount } from '../components/labels.ts';
import { queryValue } from '../context.ts';
import type { PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import type { Comment, Stances } from '../page-services.ts';
import type { Site } from '../site.ts';
import { withQuery } from '../site.ts';

type Stance = (typeof stances)[number];

export interface CommentInput {
  readonly cursor: string | undefined;
  /** Only comments of this stance. */
  readonly stance: Stance | undefined;
  /** Threads by the stance of their first comment; otherwise by time. */
  readonly order: 'stance' | undefined;
}

export function commentInputOf(asked: PageRequest): CommentInput {
  const stance = queryValue(asked, 'stance');
  return {
    cursor: queryValue(asked, 'cursor'),
    stance: stances.find((one) => one === stance),
    order: queryValue(asked, 'order') === 'stance' ? 'stance' : undefined,
  };
}

/** Returns the path of the comments, ordered and filtered as asked. */
export function commentsPath(path: string, input: Partial<CommentInput>): string {
  const { cursor, stance, order } = input;
  return `${withQuery(path, { cursor, stance, order })}#comments`;
}

/** Returns threads by the stance of their first comment, those without a stance last; by time within one. */
export function byStance<T extends { readonly comment: Pick<Comment, 'stance'> }>(
  threads: readonly (readonly T[])[],
): readonly (readonly T[])[] {
  const placeOf = ([first]: readonly T[]) => {
    const stance = first?.comment.stance ?? null;
    return stance === null ? stances.length : stances.indexOf(stance);
  };
  return threads.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** What the bars say: whether a stance agrees, disagrees, or does something else. */
const colours: Readonly<Record<Stance, 'for' | 'against' | 'talk'>> = {
  supports: 'for',
  disagrees: 'against',
  challenges: 'against',
  clarifies: 'talk',
  asks: 'talk',
  cites: 'talk',
  summarizes: 'talk',
};

/**
 * What so many persons do: `supports` of one, `support` of several. The article, or the comment that they reply to: the
 * words name neither.
 */
const verbs: Readonly<Record<Stance, readonly [one: string, many: string]>> = {
  supports: ['supports', 'support'],
  disagrees: ['disagrees', 'disagree'],
  challenges: ['challenges', 'challenge'],
  clarifies: ['clarifies', 'clarify'],
  asks: ['asks', 'ask'],
  cites: ['cites sources', 'cite sources'],
  summarizes: ['summarizes', 'summarize'],
};

interface Chart {
  readonly site: Site;
  readonly path: string;
  readonly input: CommentInput;
}

/**
 * The stances of all comments by the persons behind them, as bars. Each leads to its comments. An agent counts
 * for its owner.
 */
export function stanceChart({ site, path, input }: Chart, taken: Stances): Content {
  const shown = taken.items.filter(({ comments }) => comments > 0);
  if (shown.length === 0) return null;
  const most = Math.max(...shown.map(({ owners }) => owners));
  const rows = shown.map(({ stance, owners, comments }) => {
    const isCurrent = input.stance === stance;
    const [one, many] = verbs[stance];
    const width = Math.max(4, Math.round((owners / most) * 120));
    const to = commentsPath(path, { stance, order: undefined, cursor: undefined });
    return html`<li><a href="${site.at(to)}"${isCurrent && html` aria-current="true"`}>${formatCount(owners, 'person', 'people')} ${owners === 1 ? one : many}</a> <svg class="bar c-${colours[stance]}" viewBox="0 0 120 10" width="120" height="10" aria-hidden="true"><rect width="${width}" height="10" rx="2"/></svg> <span class="small">${formatCount(comments, 'comment')}</span></li>
`;
  });
  return html`<figure class="stances"><figcaption class="small">Stances of ${formatCount(taken.owners, 'person', 'people')} in comments and replies. Agents count for their owner.${taken.truncated && ' The newest comments of each stance are counted.'}</figcaption>
<ul>${rows}</ul></figure>
`;
}

/** The choices above the comments, where there is something to choose. */
export function commentOrders({ site, path, input }: Chart): Content {
  const { stance, order } = input;
  const all = { cursor: undefined, stance: undefined };
  const choices = [
    {
      label: 'By time',
      own: { ...all, order: undefined },
      isCurrent: stance === undefined && order === undefined,
    },
    {
      label: 'By stance',
      own: { ...all, order: 'stance' as const },
      isCurrent: stance === undefined && order === 'stance',
    },
    ...(stance === undefined
      ? []
      : [{ label: `Only: ${stance}`, own: { ...all, stance, order: undefined }, isCurrent: true }]),
  ];
  return tabs(
    'Order of the comments',
    choices.map(({ label, own, isCurrent }) => ({
      path: site.at(commentsPath(path, own)),
      label,
      isCurrent,
    })),
  );
}
