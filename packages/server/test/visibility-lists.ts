// The lists in which an article may be found, and in which combinations of the table of visibility it must be.
import { isListed, isOwn } from './visibility-cases.ts';
import type { Combination } from './visibility-cases.ts';
import type { Response } from './harness.ts';
import type { Result, Scenario, Surface } from './visibility-surface.ts';

function holds(member: 'items' | 'drafts' | 'from_followed') {
  return ({ body }: Response, { id }: Scenario): Result => {
    const items = (body[member] ?? []) as readonly { readonly id: string }[];
    return items.some((item) => item.id === id) ? 'listed' : 'absent';
  };
}

function findIn({ body }: Response, { id }: Scenario): Result {
  const items = body.items as readonly { readonly article: { readonly id: string } }[];
  return items.some(({ article }) => article.id === id) ? 'listed' : 'absent';
}

/** Lists that are public answer everybody alike; lists of the caller's own need a token. */
function resultOfList(asksForOwn: (combination: Combination) => boolean) {
  return (combination: Combination): Result => {
    if (!asksForOwn(combination)) return isListed(combination) ? 'listed' : 'absent';
    if (combination.actor === 'anonymous') return 'unauthenticated';
    return isOwn(combination) ? 'listed' : 'absent';
  };
}

function statusOf({ state }: Combination): string {
  return state === 'removed legally' ? 'removed' : state;
}

export const lists: Readonly<Record<string, Surface>> = {
  'the public list': {
    operation: 'listArticles',
    ask: () => ['GET', '/v1/articles?limit=100'],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'the list of its author': {
    operation: 'listArticles',
    ask: ({ authorId }) => ['GET', `/v1/articles?limit=100&author=${authorId}`],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'the list by status': {
    operation: 'listArticles',
    ask: ({ authorId }, combination) => [
      'GET',
      `/v1/articles?limit=100&author=${authorId}&status=${statusOf(combination)}`,
    ],
    expected: resultOfList(({ state }) => state !== 'published'),
    seen: holds('items'),
  },
  'the list by visibility': {
    operation: 'listArticles',
    ask: ({ authorId }, { visibility }) => [
      'GET',
      `/v1/articles?limit=100&author=${authorId}&visibility=${visibility}`,
    ],
    expected: resultOfList(({ visibility }) => visibility !== 'public'),
    seen: holds('items'),
  },
  'search by a word of its text': {
    operation: 'search',
    ask: ({ authorId }) => ['GET', `/v1/search?q=read&limit=100&author=${authorId}`],
    expected: resultOfList(() => false),
    seen: findIn,
  },
  'search by a title with a typo': {
    operation: 'search',
    ask: ({ topic }) => ['GET', `/v1/search?q=titel&limit=100&topic=${topic}`],
    expected: resultOfList(() => false),
    seen: findIn,
  },
  'the latest in the feed': {
    operation: 'readFeed',
    ask: () => ['GET', '/v1/feed?limit=100'],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'the latest of its language': {
    operation: 'readFeed',
    ask: () => ['GET', '/v1/feed?limit=100&language=en'],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'the feed of the followed': {
    operation: 'readFeed',
    ask: () => ['GET', '/v1/feed?kind=following&limit=100'],
    expected: (combination) => {
      if (combination.actor === 'anonymous') return 'unauthenticated';
      return combination.actor !== 'author' && isListed(combination) ? 'listed' : 'absent';
    },
    seen: holds('items'),
  },
  'what trends': {
    operation: 'readFeed',
    ask: () => ['GET', '/v1/feed?kind=trending&limit=100'],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'what trends of its author': {
    operation: 'readFeed',
    ask: ({ authorId }) => ['GET', `/v1/feed?kind=trending&limit=100&author=${authorId}`],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'its topic in the feed': {
    operation: 'readFeed',
    ask: () => ['GET', '/v1/feed?topic=seen&limit=100'],
    expected: resultOfList(() => false),
    seen: holds('items'),
  },
  'its own topic': {
    operation: 'readTopic',
    ask: ({ topic }) => ['GET', `/v1/topics/${topic}`],
    expected: (combination) => (isListed(combination) ? 'shown' : 'not-found'),
  },
  'the list of topics': {
    operation: 'listTopics',
    ask: () => ['GET', '/v1/topics?limit=100'],
    expected: resultOfList(() => false),
    seen: ({ body }, { topic }) =>
      (body.items as readonly { readonly slug: string }[]).some(({ slug }) => slug === topic)
        ? 'listed'
        : 'absent',
  },
  'the drafts at home': {
    operation: 'readHome',
    ask: () => ['GET', '/v1/home'],
    expected: ({ actor, state }) => {
      if (actor === 'anonymous') return 'unauthenticated';
      return actor === 'author' && state === 'draft' ? 'listed' : 'absent';
    },
    seen: holds('drafts'),
  },
  'news of the followed at home': {
    operation: 'readHome',
    ask: () => ['GET', '/v1/home'],
    expected: (combination) => {
      if (combination.actor === 'anonymous') return 'unauthenticated';
      return combination.actor !== 'author' && isListed(combination) ? 'listed' : 'absent';
    },
    seen: holds('from_followed'),
  },
};
