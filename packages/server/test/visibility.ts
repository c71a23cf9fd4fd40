// Every way to an article, and what each must answer in every cell of the table of visibility.
import type { OperationName } from '@colophon/contract';
import type { Asked, Response } from './harness.ts';
import { problemName } from './harness.ts';
import { isListed, isOutside, isOwn, shownTo } from './visibility-cells.ts';
import type { Actor, Cell } from './visibility-cells.ts';

/** An article with two revisions; the first is published wherever one is. */
export interface Scene {
  readonly id: string;
  readonly authorId: string;
  readonly first: string;
  readonly second: string;
}

type Result = string | number;

export interface Surface {
  readonly operation: OperationName;
  readonly ask: (
    scene: Scene,
    cell: Cell,
  ) => readonly [method: string, path: string, asked?: Asked];
  readonly expected: (cell: Cell) => Result;
  /** What an answer means for this surface, where it is not its status or its problem. */
  readonly seen?: (response: Response, scene: Scene) => Result;
  /** It changes what it succeeds on. */
  readonly changes?: true;
}

function outcome(response: Response): Result {
  return response.status < 300 ? 'shown' : problemName(response);
}

/** What a surface answered, in the words of its expectation. */
export function seenBy(surface: Surface, response: Response, scene: Scene): Result {
  if (surface.seen !== undefined && response.status < 300) return surface.seen(response, scene);
  return outcome(response);
}

/** The revision that was not published: for others it is not there. */
function ofUnpublished(cell: Cell): Result {
  const shown = shownTo(cell);
  return shown === 'shown' && isOutside(cell) ? 'not-found' : shown;
}

/** What was removed keeps its place between the articles that it is linked with. */
function keptInPlace(cell: Cell): Result {
  return shownTo(cell) === 'not-found' ? 'not-found' : 'shown';
}

/** 401, 404, 403, then 410 and 451, in this order. */
function writing(may: readonly Actor[], done: (cell: Cell) => Result) {
  return (cell: Cell): Result => {
    if (cell.actor === 'anonymous') return 'unauthenticated';
    if (shownTo(cell) === 'not-found') return 'not-found';
    return may.includes(cell.actor) ? done(cell) : 'forbidden';
  };
}

function holds(member: 'items' | 'drafts' | 'from_followed') {
  return ({ body }: Response, { id }: Scene): Result => {
    const items = (body[member] ?? []) as readonly { readonly id: string }[];
    return items.some((item) => item.id === id) ? 'listed' : 'absent';
  };
}

/** Lists that are public answer everybody alike; lists of one's own need a token. */
function listing(asksForOwn: (cell: Cell) => boolean) {
  return (cell: Cell): Result => {
    if (!asksForOwn(cell)) return isListed(cell) ? 'listed' : 'absent';
    if (cell.actor === 'anonymous') return 'unauthenticated';
    return isOwn(cell) ? 'listed' : 'absent';
  };
}

function statusOf({ state }: Cell): string {
  return state === 'removed legally' ? 'removed' : state;
}

const key = true as const;

/** Every way by which an article may be seen, or its being there be guessed. */
export const surfaces: Readonly<Record<string, Surface>> = {
  'reading it': {
    operation: 'readArticle',
    ask: ({ id }) => ['GET', `/v1/articles/${id}`],
    expected: shownTo,
  },
  'its label': {
    operation: 'readArticle',
    ask: ({ id }) => ['GET', `/v1/articles/${id}`],
    expected: (cell) =>
      shownTo(cell) === 'shown' ? `${cell.state} ${cell.visibility}` : shownTo(cell),
    seen: ({ body }) => `${body.status} ${body.visibility}`,
  },
  'its newest revision': {
    operation: 'readArticle',
    ask: ({ id }) => ['GET', `/v1/articles/${id}?view=latest`],
    expected: (cell) => {
      if (shownTo(cell) !== 'shown' || ['author', 'owner'].includes(cell.actor))
        return shownTo(cell);
      return cell.actor === 'anonymous' ? 'unauthenticated' : 'forbidden';
    },
  },
  'the public list': {
    operation: 'listArticles',
    ask: () => ['GET', '/v1/articles?limit=100'],
    expected: listing(() => false),
    seen: holds('items'),
  },
  'the list of its author': {
    operation: 'listArticles',
    ask: ({ authorId }) => ['GET', `/v1/articles?limit=100&author=${authorId}`],
    expected: listing(() => false),
    seen: holds('items'),
  },
  'the list by status': {
    operation: 'listArticles',
    ask: ({ authorId }, cell) => [
      'GET',
      `/v1/articles?limit=100&author=${authorId}&status=${statusOf(cell)}`,
    ],
    expected: listing(({ state }) => state !== 'published'),
    seen: holds('items'),
  },
  'the list by visibility': {
    operation: 'listArticles',
    ask: ({ authorId }, { visibility }) => [
      'GET',
      `/v1/articles?limit=100&author=${authorId}&visibility=${visibility}`,
    ],
    expected: listing(({ visibility }) => visibility !== 'public'),
    seen: holds('items'),
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
    expected: (cell) => {
      if (cell.actor === 'anonymous') return 'unauthenticated';
      return cell.actor !== 'author' && isListed(cell) ? 'listed' : 'absent';
    },
    seen: holds('from_followed'),
  },
  'how many revisions': {
    operation: 'listRevisions',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/revisions`],
    expected: (cell) => {
      if (shownTo(cell) !== 'shown') return shownTo(cell);
      return isOutside(cell) ? 1 : 2;
    },
    seen: ({ body }) => body.items.length as number,
  },
  'the first revision': {
    operation: 'readRevision',
    ask: ({ id, first }) => ['GET', `/v1/articles/${id}/revisions/${first}`],
    expected: shownTo,
  },
  'the unpublished revision': {
    operation: 'readRevision',
    ask: ({ id, second }) => ['GET', `/v1/articles/${id}/revisions/${second}`],
    expected: ofUnpublished,
  },
  'the proof of the first revision': {
    operation: 'readProof',
    ask: ({ id, first }) => ['GET', `/v1/articles/${id}/revisions/${first}/proof`],
    expected: shownTo,
  },
  'the proof of the unpublished revision': {
    operation: 'readProof',
    ask: ({ id, second }) => ['GET', `/v1/articles/${id}/revisions/${second}/proof`],
    expected: ofUnpublished,
  },
  'the difference that is shown': {
    operation: 'readDiff',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/diff`],
    expected: shownTo,
  },
  'the difference to the unpublished revision': {
    operation: 'readDiff',
    ask: ({ id, second }) => ['GET', `/v1/articles/${id}/diff?to=${second}`],
    expected: ofUnpublished,
  },
  'the difference from the unpublished revision': {
    operation: 'readDiff',
    ask: ({ id, first, second }) => ['GET', `/v1/articles/${id}/diff?from=${second}&to=${first}`],
    expected: ofUnpublished,
  },
  'what the pipeline did': {
    operation: 'readProcessing',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/processing`],
    expected: shownTo,
  },
  'changing what surrounds it': {
    operation: 'updateArticle',
    ask: ({ id }) => ['PATCH', `/v1/articles/${id}?dry_run=true`, { body: { language: 'de' } }],
    expected: writing(['author'], shownTo),
  },
  'revising it': {
    operation: 'createRevision',
    ask: ({ id, second }) => [
      'POST',
      `/v1/articles/${id}/revisions?dry_run=true`,
      { key, body: { content: 'Other.', expected_revision_id: second } },
    ],
    expected: writing(['author'], shownTo),
  },
  'revising it without a precondition': {
    operation: 'createRevision',
    ask: ({ id }) => ['POST', `/v1/articles/${id}/revisions?dry_run=true`, { key, body: {} }],
    expected: writing(['author'], (cell) =>
      shownTo(cell) === 'shown' ? 'precondition-required' : shownTo(cell),
    ),
  },
  'publishing it': {
    operation: 'publishArticle',
    ask: ({ id }) => ['POST', `/v1/articles/${id}/publish?dry_run=true`, { key, body: {} }],
    expected: writing(['author'], shownTo),
  },
  'removing it': {
    operation: 'deleteArticle',
    ask: ({ id }) => ['DELETE', `/v1/articles/${id}`],
    expected: writing(['author', 'owner'], shownTo),
    changes: true,
  },
  'erasing it': {
    operation: 'eraseArticle',
    ask: ({ id }) => [
      'POST',
      `/v1/articles/${id}/erase?dry_run=true`,
      { body: { confirm: 'erase' } },
    ],
    expected: writing(['author', 'owner'], () => 'shown'),
  },
  'its comments': {
    operation: 'listComments',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/comments`],
    expected: shownTo,
  },
  'commenting on it': {
    operation: 'createComment',
    ask: ({ id }) => [
      'POST',
      `/v1/articles/${id}/comments?dry_run=true`,
      { key, body: { content: 'A comment.' } },
    ],
    expected: (cell) => {
      if (cell.actor === 'anonymous') return 'unauthenticated';
      if (shownTo(cell) !== 'shown' || cell.state === 'published') return shownTo(cell);
      return 'validation-failed';
    },
  },
  'its edges': {
    operation: 'listArticleEdges',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/edges`],
    expected: keptInPlace,
  },
  'its neighbourhood': {
    operation: 'readGraph',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/graph`],
    expected: keptInPlace,
  },
};

/** Operations below /v1/articles that neither show an article nor look for one. */
export const blind: readonly OperationName[] = ['createArticle'];
