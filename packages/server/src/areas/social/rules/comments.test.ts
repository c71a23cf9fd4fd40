// Tests of the rules of comments, row by row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem, problem } from '#http';
import type { Caller } from '#http';
import type { CommentState, Target } from '../queries/index.ts';
import {
  isOwn,
  lacksParent,
  requireCommented,
  requireLiveComment,
  requireReadScope,
  requireReplied,
  requireKnownComment,
  requireWriter,
} from './comments.ts';

const callerOf = (id: string, scopes: Caller['scopes'] = []): Caller => ({
  id,
  bucket: 1,
  kind: 'human',
  username: id,
  ownerId: null,
  trustLevel: 0,
  suspended: false,
  scopes,
  token: null,
  session: null,
});

const comment = (members: Partial<CommentState> = {}): CommentState => ({
  author_id: 'author',
  owner_principal_id: 'owner',
  status: 'visible',
  removed_at: null,
  removed_legally: false,
  reason_code: null,
  ...members,
});

const target = (members: Partial<Target> = {}): Target => ({
  article_author_id: 'writer',
  article_owner_id: null,
  article_status: 'published',
  article_visibility: 'public',
  article_published_revision_id: 'revision',
  article_removed_at: null,
  article_removed_legally: false,
  article_reason_code: null,
  article_id: 'article',
  parent_id: 'parent',
  parent_article_id: 'article',
  parent_author_id: 'author',
  parent_owner_id: null,
  parent_status: 'visible',
  parent_removed_at: null,
  parent_removed_legally: false,
  parent_reason_code: null,
  root_comment_id: 'parent',
  depth: 1,
  inserted: true,
  ...members,
});

/** Returns the problem that a rule throws, `passes` when it throws none. */
function outcome(rule: () => void): string {
  try {
    rule();
    return 'passes';
  } catch (error) {
    if (!isProblem(error)) throw error;
    return error.problem;
  }
}

const callers = {
  nobody: null,
  author: callerOf('author'),
  owner: callerOf('owner'),
  reader: callerOf('reader'),
  moderator: callerOf('moderator', ['admin:moderate']),
} as const;

test('a comment is the caller’s own if the caller or the caller’s agent wrote it', () => {
  const own = Object.entries(callers).map(([name, caller]) => [name, isOwn(comment(), caller)]);
  assert.deepEqual(Object.fromEntries(own), {
    nobody: false,
    author: true,
    owner: true,
    reader: false,
    moderator: false,
  });
});

test('what was hidden is there for its author, the owner and moderators; all else for everybody', () => {
  const seen = Object.entries(callers).map(([name, caller]) => [
    name,
    outcome(() =>
      requireKnownComment(problem, comment({ status: 'hidden' }), { caller, knowsArticle: true }),
    ),
  ]);
  assert.deepEqual(Object.fromEntries(seen), {
    nobody: 'not-found',
    author: 'passes',
    owner: 'passes',
    reader: 'not-found',
    moderator: 'passes',
  });
  for (const status of ['visible', 'deleted', 'removed'] as const)
    for (const caller of Object.values(callers))
      assert.equal(
        outcome(() =>
          requireKnownComment(problem, comment({ status }), { caller, knowsArticle: true }),
        ),
        'passes',
      );
  const author = { caller: callers.author, knowsArticle: false };
  assert.equal(
    outcome(() => requireKnownComment(problem, comment({ status: 'visible' }), author)),
    'not-found',
  );
});

test('a legal removal goes before every other state of a comment', () => {
  const outcomes = (['visible', 'deleted', 'hidden', 'removed'] as const).map((status) => [
    outcome(() => requireLiveComment(problem, comment({ status }))),
    outcome(() => requireLiveComment(problem, comment({ status, removed_legally: true }))),
  ]);
  const legal = 'unavailable-for-legal-reasons';
  assert.deepEqual(outcomes, [
    ['passes', legal],
    ['gone', legal],
    ['passes', legal],
    ['gone', legal],
  ]);
});

test('the text of what was hidden needs comments:read of its author, and of no one else', () => {
  const hidden = comment({ status: 'hidden' });
  const reads = callerOf('author', ['comments:read']);
  assert.equal(
    outcome(() => requireReadScope(hidden, callers.author)),
    'insufficient-scope',
  );
  for (const caller of [reads, callers.moderator, null])
    assert.equal(
      outcome(() => requireReadScope(hidden, caller)),
      'passes',
    );
  assert.equal(
    outcome(() => requireReadScope(comment(), callers.author)),
    'passes',
  );
});

const stranger = { caller: callers.reader, isElsewhere: false };
const noParent = { parent_id: null, parent_article_id: null, parent_author_id: null };

test('a comment was written, or what stood in its way is said', () => {
  const rows: readonly (readonly [Partial<Target>, string])[] = [
    [{}, 'passes'],
    [noParent, 'passes'],
    [{ article_status: 'draft', inserted: false }, 'validation-failed'],
    [{ article_status: 'hidden', inserted: false }, 'validation-failed'],
    [{ ...noParent, inserted: false }, 'not-found'],
    [{ parent_article_id: 'another', inserted: false }, 'not-found'],
    [{ parent_article_id: 'another', parent_status: 'deleted', inserted: false }, 'not-found'],
    [{ parent_status: 'hidden', inserted: false }, 'not-found'],
    [{ parent_status: 'hidden', parent_author_id: 'reader', inserted: false }, 'validation-failed'],
    [{ parent_status: 'deleted', inserted: false }, 'gone'],
    [{ parent_status: 'removed', inserted: false }, 'gone'],
    [
      { parent_status: 'removed', parent_removed_legally: true, inserted: false },
      'unavailable-for-legal-reasons',
    ],
  ];
  for (const [members, expected] of rows)
    assert.equal(
      outcome(() => requireCommented(problem, target(members), stranger)),
      expected,
      JSON.stringify(members),
    );
});

test('a parent on another article is distinguished only for callers who may see it there', () => {
  const rows: readonly (readonly [Partial<Target>, boolean])[] = [
    [{}, false],
    [{ ...noParent, inserted: false }, true],
    [{ parent_article_id: 'another', inserted: false }, true],
    [{ parent_status: 'hidden', inserted: false }, false],
    [{ ...noParent, article_status: 'draft', inserted: false }, false],
  ];
  for (const [members, lacks] of rows) {
    const one = target(members);
    assert.equal(lacksParent(one), lacks, JSON.stringify(members));
    if (!lacks) continue;
    for (const [isElsewhere, expected] of [
      [true, 'validation-failed'],
      [false, 'not-found'],
    ] as const)
      assert.equal(
        outcome(() => requireCommented(problem, one, { ...stranger, isElsewhere })),
        expected,
      );
  }
});

test('a reply was written, or what stood in its way is said', () => {
  const rows: readonly (readonly [Partial<Target>, Partial<CommentState>, string])[] = [
    [{}, {}, 'passes'],
    [{ article_status: 'hidden', inserted: false }, {}, 'validation-failed'],
    [{ inserted: false }, { status: 'hidden' }, 'validation-failed'],
    [{ inserted: false }, { status: 'deleted' }, 'gone'],
    [{ inserted: false }, { status: 'removed' }, 'gone'],
    [
      { inserted: false },
      { status: 'removed', removed_legally: true },
      'unavailable-for-legal-reasons',
    ],
  ];
  for (const [members, parent, expected] of rows)
    assert.equal(
      outcome(() => requireReplied(problem, target(members), comment(parent))),
      expected,
      JSON.stringify([members, parent]),
    );
});

test('a writer is there, and active', () => {
  const writer = {
    id: 'author',
    kind: 'human' as const,
    username: 'author',
    display_name: null,
    owner_principal_id: null,
    model: null,
    provider: null,
  };
  const outcomes = [
    outcome(() => requireWriter(problem, undefined)),
    outcome(() => requireWriter(problem, { ...writer, status: 'closed' })),
    outcome(() => requireWriter(problem, { ...writer, status: 'suspended' })),
    outcome(() => requireWriter(problem, { ...writer, status: 'active' })),
  ];
  assert.deepEqual(outcomes, ['unauthenticated', 'unauthenticated', 'forbidden', 'passes']);
});
