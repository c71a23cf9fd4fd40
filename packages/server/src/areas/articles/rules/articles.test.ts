// Tests of the rules of articles, row by row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '@colophon/contract';
import { isProblem, problem } from '#http';
import type { Caller } from '#http';
import { expectedHash } from '#test/signed-text';
import {
  changeTime,
  contentOf,
  defaultDisclosure,
  requireAuthor,
  requireKnown,
  requireLive,
  requireReadable,
  standingOf,
  stepsOf,
  widens,
} from './articles.ts';
import { signingInput } from './signatures.ts';

type Article = Parameters<typeof requireLive>[1];
type Who = 'nobody' | 'reader' | 'author' | 'owner' | 'moderator';

const people: readonly Who[] = ['nobody', 'reader', 'author', 'owner', 'moderator'];

function callerOf(who: Who, scopes: readonly Scope[] = ['articles:read']): Caller | null {
  if (who === 'nobody') return null;
  return {
    id: who,
    bucket: 0,
    kind: who === 'author' ? 'agent' : 'human',
    username: who,
    ownerId: null,
    trustLevel: 0,
    suspended: false,
    scopes: who === 'moderator' ? [...scopes, 'admin:moderate'] : scopes,
    token: null,
    session: null,
  };
}

const open: Article = {
  author_id: 'author',
  owner_principal_id: 'owner',
  status: 'published',
  visibility: 'public',
  published_revision_id: 'r1',
  removed_at: null,
  removed_legally: false,
  reason_code: null,
};
const removedAt = '2026-01-31T09:30:00.000Z';

/** Returns the name of the problem that the call throws, undefined when it throws none. */
function problemOf(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    assert.ok(isProblem(error), String(error));
    return error.problem;
  }
}

test('standing: author, owner and moderator are told apart from readers', () => {
  assert.deepEqual(
    people.map((who) => standingOf(open, callerOf(who))),
    ['reader', 'reader', 'author', 'owner', 'moderator'],
  );
  assert.equal(
    standingOf({ author_id: 'a', owner_principal_id: null }, callerOf('owner')),
    'reader',
  );
});

/** Article → the result of reading it as no one, a reader, the author, the owner, a moderator. */
const combinations: readonly [string, Partial<Article>, readonly (string | undefined)[]][] = [
  ['published and public', {}, [undefined, undefined, undefined, undefined, undefined]],
  [
    'published and unlisted',
    { visibility: 'unlisted' },
    [undefined, undefined, undefined, undefined, undefined],
  ],
  [
    'published and private',
    { visibility: 'private' },
    ['not-found', 'not-found', undefined, undefined, undefined],
  ],
  [
    'a draft',
    { status: 'draft', published_revision_id: null },
    ['not-found', 'not-found', undefined, undefined, undefined],
  ],
  [
    'a private draft',
    { status: 'draft', published_revision_id: null, visibility: 'private' },
    ['not-found', 'not-found', undefined, undefined, undefined],
  ],
  ['hidden', { status: 'hidden' }, ['not-found', 'not-found', undefined, undefined, undefined]],
  [
    'removed',
    { status: 'removed', removed_at: removedAt },
    ['gone', 'gone', 'gone', 'gone', 'gone'],
  ],
  ['unpublished', { status: 'unpublished' }, ['gone', 'gone', 'gone', 'gone', 'gone']],
  ['erased', { status: 'erased', removed_at: removedAt }, ['gone', 'gone', 'gone', 'gone', 'gone']],
  [
    'removed, private',
    { status: 'removed', visibility: 'private' },
    ['not-found', 'not-found', 'gone', 'gone', 'gone'],
  ],
  [
    'removed, never published',
    { status: 'removed', published_revision_id: null },
    ['not-found', 'not-found', 'gone', 'gone', 'gone'],
  ],
  [
    'erased, never published',
    { status: 'erased', published_revision_id: null },
    ['not-found', 'not-found', 'gone', 'gone', 'gone'],
  ],
  [
    'removed legally',
    { status: 'removed', removed_legally: true },
    Array.from({ length: 5 }, () => 'unavailable-for-legal-reasons'),
  ],
  [
    'removed legally and erased',
    { status: 'erased', removed_legally: true },
    Array.from({ length: 5 }, () => 'unavailable-for-legal-reasons'),
  ],
];
for (const [what, members, expected] of combinations) {
  test(`reading what is ${what}`, () => {
    const article = { ...open, ...members };
    assert.deepEqual(
      people.map((who) => problemOf(() => requireReadable(problem, article, callerOf(who)))),
      expected,
    );
  });
}

test('reading nothing at all is not-found for everybody', () => {
  for (const who of people) {
    assert.equal(
      problemOf(() => requireReadable(problem, undefined, callerOf(who))),
      'not-found',
    );
    assert.equal(
      problemOf(() => requireKnown(problem, undefined, callerOf(who))),
      'not-found',
    );
  }
});

test('author and owner need articles:read for what only they see, and not for the rest', () => {
  for (const who of ['author', 'owner'] as const) {
    const caller = callerOf(who, ['articles:write']);
    assert.equal(
      problemOf(() => requireReadable(problem, { ...open, visibility: 'private' }, caller)),
      'insufficient-scope',
    );
    assert.equal(
      problemOf(() =>
        requireReadable(problem, { ...open, status: 'draft', published_revision_id: null }, caller),
      ),
      'insufficient-scope',
    );
    assert.equal(
      problemOf(() => requireReadable(problem, open, caller)),
      undefined,
    );
  }
});

test('only the author writes; the owner may only remove', () => {
  const writes = people
    .slice(1)
    .map((who) => problemOf(() => requireAuthor(problem, open, callerOf(who) as Caller, false)));
  assert.deepEqual(writes, ['forbidden', undefined, 'forbidden', 'forbidden']);
  const removals = people
    .slice(1)
    .map((who) => problemOf(() => requireAuthor(problem, open, callerOf(who) as Caller, true)));
  assert.deepEqual(removals, ['forbidden', undefined, undefined, 'forbidden']);
});

test('gone and its legal twin carry date and reason where there are any', () => {
  const membersOf = (members: Partial<Article>) => {
    try {
      requireLive(problem, { ...open, ...members });
    } catch (error) {
      assert.ok(isProblem(error));
      return error.members;
    }
    return undefined;
  };
  assert.deepEqual(membersOf({ status: 'removed', removed_at: removedAt, reason_code: 'spam' }), {
    removed_at: removedAt,
    reason_code: 'spam',
  });
  assert.deepEqual(membersOf({ status: 'unpublished' }), {});
  assert.deepEqual(
    membersOf({ removed_legally: true, removed_at: removedAt, reason_code: 'court_order' }),
    { removed_at: removedAt, reason_code: 'court_order' },
  );
  assert.equal(membersOf({}), undefined);
});

test('public is wider than unlisted, that is wider than private', () => {
  const widths = ['private', 'unlisted', 'public'] as const;
  for (const [low, from] of widths.entries()) {
    for (const [high, to] of widths.entries())
      assert.equal(widens(from, to), high > low, `${from} → ${to}`);
  }
});

test('a signing input has seven lines and no final line feed', () => {
  const text = signingInput({
    base: 'https://x',
    articleId: 'A',
    revisionId: 'R',
    authorId: 'P',
    createdAt: removedAt,
    contentHash: 'sha256:0',
  });
  assert.equal(text, `publishing-network/revision/v1\nhttps://x\nA\nR\nP\n${removedAt}\nsha256:0`);
});

test('machines are said to be machines', () => {
  assert.equal(defaultDisclosure('human'), 'human_authored');
  assert.equal(defaultDisclosure('agent'), 'ai_generated');
});

test('steps are pending, then done, and skipped for what is listed nowhere', () => {
  const production = { deployment: 'production' } as const;
  const listed = { status: 'published', visibility: 'public', deindexed: false } as const;
  const done = { indexed: true, in_sitemap: true, pictured: true };
  const none = { indexed: false, in_sitemap: false, pictured: false };
  const states = (...asked: Parameters<typeof stepsOf>) => {
    const { search_indexed, sitemap, og_image } = stepsOf(...asked);
    return [search_indexed, sitemap, og_image];
  };
  assert.deepEqual(states(listed, none, production), [false, 'pending', 'pending']);
  assert.deepEqual(states(listed, done, production), [true, 'done', 'done']);
  assert.deepEqual(states(listed, done, { deployment: 'staging' }), [true, 'skipped', 'done']);
  for (const hidden of [
    { status: 'draft' },
    { status: 'hidden' },
    { status: 'removed' },
    { visibility: 'unlisted' },
    { visibility: 'private' },
    { deindexed: true },
  ] as const) {
    for (const derived of [none, done])
      assert.deepEqual(states({ ...listed, ...hidden }, derived, production), [
        false,
        'skipped',
        'skipped',
      ]);
  }
});

test('what is stored is what was hashed, whatever the order of names', async () => {
  const one = await contentOf({
    title: 'T',
    content: 'C\r\n',
    metadata: { b: 1, a: { d: 2, c: 3 } },
  });
  const other = await contentOf({
    metadata: { a: { c: 3, d: 2 }, b: 1 },
    content: 'C\r\n',
    title: 'T',
  });
  assert.deepEqual(one, other);
  assert.equal(one.metadata, '{"a":{"c":3,"d":2},"b":1}');
  assert.equal(one.content, 'C\r\n');
  assert.equal(
    one.hash,
    expectedHash({ title: 'T', content: 'C\r\n', metadata: { a: { c: 3, d: 2 }, b: 1 } }),
  );
  const ends = ['C\n', 'C\r\n'].map((content) => contentOf({ title: 'T', content, metadata: {} }));
  const [unix, dos] = await Promise.all(ends);
  assert.notEqual(unix?.hash, dos?.hash);
});

test('changes of an article have ascending times, whichever request began first', () => {
  const before = { updated_at: '2026-01-31T09:30:00.000Z' };
  for (const [now, expected] of [
    ['2026-01-31T09:30:00.002Z', '2026-01-31T09:30:00.002Z'],
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z'],
    ['2026-01-31T09:29:59.000Z', '2026-01-31T09:30:00.001Z'],
  ] as const)
    assert.equal(changeTime(before, new Date(now)).toISOString(), expected);
});
