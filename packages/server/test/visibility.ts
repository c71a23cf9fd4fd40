// Every way to an article, and what each must answer in every combination of the table of visibility.
import type { OperationName } from '@colophon/contract';
import type { Response } from './harness.ts';
import { problemName } from './harness.ts';
import { isOutside, shownTo } from './visibility-cases.ts';
import type { Actor, Combination } from './visibility-cases.ts';
import { lists } from './visibility-lists.ts';
import type { Result, Scenario, Surface } from './visibility-surface.ts';

function outcome(response: Response): Result {
  return response.status < 300 ? 'shown' : problemName(response);
}

/** What a surface answered, in the words of its expectation. */
export function seenBy(surface: Surface, response: Response, scenario: Scenario): Result {
  if (surface.seen !== undefined && response.status < 300) return surface.seen(response, scenario);
  return outcome(response);
}

/** The revision that was not published: for others it is not there. */
function ofUnpublished(combination: Combination): Result {
  const shown = shownTo(combination);
  return shown === 'shown' && isOutside(combination) ? 'not-found' : shown;
}

/** What was removed keeps its place between the articles that it is linked with. */
function keptInPlace(combination: Combination): Result {
  return shownTo(combination) === 'not-found' ? 'not-found' : 'shown';
}

/** 401, 404, 403, then 410 and 451, in this order. */
function resultOfWrite(may: readonly Actor[], done: (combination: Combination) => Result) {
  return (combination: Combination): Result => {
    if (combination.actor === 'anonymous') return 'unauthenticated';
    if (shownTo(combination) === 'not-found') return 'not-found';
    return may.includes(combination.actor) ? done(combination) : 'forbidden';
  };
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
    expected: (combination) =>
      shownTo(combination) === 'shown'
        ? `${combination.state} ${combination.visibility}`
        : shownTo(combination),
    seen: ({ body }) => `${body.status} ${body.visibility}`,
  },
  ...lists,
  'its newest revision': {
    operation: 'readArticle',
    ask: ({ id }) => ['GET', `/v1/articles/${id}?view=latest`],
    expected: (combination) => {
      if (shownTo(combination) !== 'shown' || ['author', 'owner'].includes(combination.actor))
        return shownTo(combination);
      return combination.actor === 'anonymous' ? 'unauthenticated' : 'forbidden';
    },
  },
  'how many revisions': {
    operation: 'listRevisions',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/revisions`],
    expected: (combination) => {
      if (shownTo(combination) !== 'shown') return shownTo(combination);
      return isOutside(combination) ? 1 : 2;
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
    expected: resultOfWrite(['author'], shownTo),
  },
  'revising it': {
    operation: 'createRevision',
    ask: ({ id, second }) => [
      'POST',
      `/v1/articles/${id}/revisions?dry_run=true`,
      { key, body: { content: 'Other.', expected_revision_id: second } },
    ],
    expected: resultOfWrite(['author'], shownTo),
  },
  'revising it without a precondition': {
    operation: 'createRevision',
    ask: ({ id }) => ['POST', `/v1/articles/${id}/revisions?dry_run=true`, { key, body: {} }],
    expected: resultOfWrite(['author'], (combination) =>
      shownTo(combination) === 'shown' ? 'precondition-required' : shownTo(combination),
    ),
  },
  'publishing it': {
    operation: 'publishArticle',
    ask: ({ id }) => ['POST', `/v1/articles/${id}/publish?dry_run=true`, { key, body: {} }],
    expected: resultOfWrite(['author'], shownTo),
  },
  'removing it': {
    operation: 'deleteArticle',
    ask: ({ id }) => ['DELETE', `/v1/articles/${id}`],
    expected: resultOfWrite(['author', 'owner'], shownTo),
    changes: true,
  },
  'erasing it': {
    operation: 'eraseArticle',
    ask: ({ id }) => [
      'POST',
      `/v1/articles/${id}/erase?dry_run=true`,
      { body: { confirm: 'erase' } },
    ],
    expected: resultOfWrite(['author', 'owner'], () => 'shown'),
  },
  'its comments': {
    operation: 'listComments',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/comments`],
    expected: shownTo,
  },
  'the stances of its comments': {
    operation: 'readStances',
    ask: ({ id }) => ['GET', `/v1/articles/${id}/stances`],
    expected: shownTo,
  },
  'commenting on it': {
    operation: 'createComment',
    ask: ({ id }) => [
      'POST',
      `/v1/articles/${id}/comments?dry_run=true`,
      { key, body: { content: 'A comment.' } },
    ],
    expected: (combination) => {
      if (combination.actor === 'anonymous') return 'unauthenticated';
      if (shownTo(combination) !== 'shown' || combination.state === 'published')
        return shownTo(combination);
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
