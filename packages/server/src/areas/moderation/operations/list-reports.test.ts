// GET /v1/moderation/reports over HTTP: order, filters, lapsed claims, and the present state of targets.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, setPrincipalStatus } from '#test/accounts';
import { comment, moderate, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { aRecord, pngOf, setMedia, upload } from '#test/media-files';
import { assertMissingScope } from '#test/problem-checks';
import { age, moderator, report, review } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const mod = await moderator(server);
const colleague = await moderator(server);

const list = (query = '', by = mod) =>
  server.ask('GET', `/v1/moderation/reports${query}`, { token: by.token });
const idsOf = ({ body }: Response) =>
  (body.items as readonly { readonly id: string }[]).map(({ id }) => id);

/** Returns those of these ids that a query lists, in its order. */
async function listAmong(among: readonly string[], query: string, by = mod): Promise<string[]> {
  const ids = idsOf(await list(`?limit=100${query}`, by));
  return ids.filter((id) => among.includes(id));
}

test('200 open ones oldest first, all others newest first', async () => {
  const ids = [];
  for (let n = 0; n < 8; n += 1) ids.push(await report(server));
  assert.deepEqual(await listAmong(ids, '&status=open'), ids);
  assert.deepEqual(await listAmong(ids, ''), ids.toReversed());
  for (const id of ids) await review(server, mod, id, { status: 'reviewing' });
  assert.deepEqual(await listAmong(ids, '&status=open'), []);
  assert.deepEqual(await listAmong(ids, '&status=reviewing'), ids.toReversed());
  for (const id of ids) await review(server, mod, id, { status: 'rejected' });
  assert.deepEqual(await listAmong(ids, '&status=reviewing'), []);
  assert.deepEqual(await listAmong(ids, '&status=rejected'), ids.toReversed());
  assert.deepEqual(await listAmong(ids, '&status=actioned'), []);
});

test('200 pages end where the list ends, in both directions', async () => {
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await report(server, { category: 'copyright' }));
  for (const [query, expected] of [
    ['category=copyright&status=open', ids],
    ['category=copyright', ids.toReversed()],
  ] as const) {
    const seen: string[] = [];
    let next = `?limit=2&${query}`;
    for (let pages = 1; pages <= 3; pages += 1) {
      const page = await list(next);
      seen.push(...idsOf(page));
      const cursor = page.body.next_cursor as string | null;
      assert.equal(cursor === null, pages === 3);
      const link = page.headers.get('link') ?? '';
      assert.equal(link.includes(`cursor=${cursor}`), pages < 3);
      next = `?limit=2&${query}&cursor=${cursor}`;
    }
    assert.deepEqual(seen, expected);
  }
});

test('200 by category and kind of target, together and alone', async () => {
  const target = newId(77);
  const made = {
    both: await report(server, { category: 'injection', target_type: 'media', target_id: target }),
    category: await report(server, { category: 'injection', target_type: 'comment' }),
    type: await report(server, { category: 'illegal', target_type: 'media' }),
    neither: await report(server, { category: 'other', target_type: 'principal' }),
  };
  const ids = Object.values(made);
  for (const status of ['', '&status=open']) {
    const some = async (query: string) => (await listAmong(ids, `${query}${status}`)).toSorted();
    assert.deepEqual(await some('&category=injection'), [made.both, made.category]);
    assert.deepEqual(await some('&target_type=media'), [made.both, made.type]);
    assert.deepEqual(await some('&category=injection&target_type=media'), [made.both]);
    assert.deepEqual(await some('&category=abuse'), []);
  }
});

test('200 claimed_by=me: only what the caller works on', async () => {
  const ids = [await report(server), await report(server), await report(server)] as const;
  await review(server, mod, ids[0], { status: 'reviewing' });
  await review(server, colleague, ids[1], { status: 'reviewing' });
  assert.deepEqual(await listAmong(ids, '&claimed_by=me'), [ids[0]]);
  assert.deepEqual(await listAmong(ids, '&claimed_by=me', colleague), [ids[1]]);
  assert.deepEqual(await listAmong(ids, '&claimed_by=me&status=reviewing'), [ids[0]]);
  assert.deepEqual(await listAmong(ids, '&claimed_by=me&status=open'), []);
  await review(server, mod, ids[0], { status: 'rejected' });
  assert.deepEqual(await listAmong(ids, '&claimed_by=me'), []);
});

test('200 a claim of 24 hours has lapsed: the report is open again, at its old place', async () => {
  const [first, id, last] = [await report(server), await report(server), await report(server)];
  const ids = [first, id, last];
  await review(server, mod, id, { status: 'reviewing' });
  await age(server, id, 23.9);
  assert.deepEqual(await listAmong(ids, '&status=open'), [first, last]);
  const before = (await list('?status=reviewing')).body.items[0];
  assert.equal(before.claimed_by, mod.id);
  const left = Date.parse(before.claimed_until) - Date.now();
  assert.ok(left > 0 && left < 7 * 60_000, before.claimed_until);
  await age(server, id, 0.2);
  assert.deepEqual(await listAmong(ids, '&status=open'), ids);
  assert.deepEqual(await listAmong(ids, '&status=reviewing'), []);
  assert.deepEqual(await listAmong(ids, '&claimed_by=me'), []);
  const { items } = (await list('?limit=3')).body;
  const lapsed = (items as readonly Response['body'][]).find((one) => one.id === id);
  assert.deepEqual([lapsed.status, lapsed.claimed_by, lapsed.claimed_until], ['open', null, null]);
});

interface Made {
  readonly type: string;
  readonly id: string;
}

const author = await server.register();

async function anArticle(visibility = 'public'): Promise<Made> {
  return { type: 'article', id: (await server.published(author, { visibility })).id };
}

async function aComment(visibility = 'public'): Promise<Made & { readonly on: string }> {
  const { id } = await anArticle(visibility);
  return { type: 'comment', id: (await comment(server, author, id)).id, on: id };
}

async function aPerson(status: 'active' | 'suspended' | 'closed'): Promise<Made> {
  const { id } = await server.register();
  await setPrincipalStatus(server, id, status);
  return { type: 'principal', id };
}

async function aFile(): Promise<Made> {
  return { type: 'media', id: (await upload(server, author, 'image', pngOf(2, 2))).body.id };
}

/**
 * Targets in each of their states: the status, and whether the target is visible to everyone with its id.
 */
const states: Readonly<
  Record<string, readonly [status: string | null, visible: boolean, () => Promise<Made>]>
> = {
  'a published article': ['published', true, () => anArticle()],
  'an unlisted article': ['published', true, () => anArticle('unlisted')],
  'a private article': ['published', false, () => anArticle('private')],
  'a draft': ['draft', false, async () => ({ ...(await server.draft(author)), type: 'article' })],
  ...Object.fromEntries(
    (['hidden', 'removed', 'unpublished', 'erased'] as const).map((status) => [
      `an article that is ${status}`,
      [
        status,
        false,
        async () => {
          const made = await anArticle();
          await setArticleStatus(server, made.id, status);
          return made;
        },
      ],
    ]),
  ),
  'an article that was removed legally': [
    'removed',
    false,
    async () => {
      const made = await anArticle();
      await removeLegally(server, made.id);
      return made;
    },
  ],
  'a comment': ['visible', true, () => aComment()],
  'a comment on what is private': ['visible', false, () => aComment('private')],
  'a comment on what was removed': [
    'visible',
    false,
    async () => {
      const made = await aComment();
      await setArticleStatus(server, made.on, 'removed');
      return made;
    },
  ],
  ...Object.fromEntries(
    (['hidden', 'removed'] as const).map((status) => [
      `a comment that is ${status}`,
      [
        status,
        false,
        async () => {
          const made = await aComment();
          await moderate(server, made.id, { status });
          return made;
        },
      ],
    ]),
  ),
  'a comment that was deleted': [
    'deleted',
    false,
    async () => {
      const made = await aComment();
      await server.ask('DELETE', `/v1/comments/${made.id}`, { token: author.token });
      return made;
    },
  ],
  'a person': ['active', true, () => aPerson('active')],
  'a suspended person': ['suspended', true, () => aPerson('suspended')],
  'a closed account': ['closed', false, () => aPerson('closed')],
  'a file': ['ready', true, aFile],
  'a reservation': [
    'pending',
    false,
    async () => ({ type: 'media', id: (await aRecord(server, author, 'image')).id }),
  ],
  'a hidden file': [
    'hidden',
    false,
    async () => {
      const made = await aFile();
      await setMedia(server, made.id, { hidden: true });
      return made;
    },
  ],
  'a file that was removed legally': [
    'removed',
    false,
    async () => {
      const made = await aFile();
      await setMedia(server, made.id, { legal: true });
      return made;
    },
  ],
  nothing: [null, false, async () => ({ type: 'media', id: newId(5) })],
  'an id of another kind': [
    null,
    false,
    async () => ({ type: 'comment', id: (await anArticle()).id }),
  ],
};

for (const [what, [status, visible, make]] of Object.entries(states)) {
  test(`200 with ${what} as it is now`, async () => {
    const made = await make();
    const id = await report(server, { target_type: made.type, target_id: made.id });
    const [item] = (await list('?limit=1')).body.items;
    assert.equal(item.id, id);
    const { target } = item;
    assert.deepEqual(
      [target.exists, target.status, target.visible],
      [status !== null, status, visible],
    );
    const legally = what.includes('legally');
    assert.equal(target.removed_legally, legally);
    if (legally) assert.equal(target.reason_code, 'court_order');
    if (status !== null)
      assert.equal(target.author_principal_id, made.type === 'principal' ? made.id : author.id);
  });
}

test('200 with what the target says, and where a comment stands', async () => {
  const made = await aComment();
  await report(server, { target_type: 'comment', target_id: made.id });
  await report(server, { target_type: 'article', target_id: made.on });
  await report(server, { target_type: 'principal', target_id: author.id });
  const { items } = (await list('?limit=3')).body;
  const targets = (items as readonly Response['body'][]).map(({ target }) => target);
  assert.deepEqual(
    targets.map(({ excerpt }) => excerpt),
    [author.username, 'A title', 'A *comment*.'],
  );
  assert.deepEqual(
    targets.map(({ article_id: on }) => on),
    [null, null, made.on],
  );
});

test('400 invalid-request: values that no filter has', async () => {
  for (const query of ['status=closed', 'category=rude', 'target_type=token', 'claimed_by=you'])
    assertProblem(await list(`?${query}`), 'invalid-request');
});

test('401 unauthenticated and 403 insufficient-scope: for moderators only', async () => {
  assertProblem(await server.ask('GET', '/v1/moderation/reports'), 'unauthenticated');
  assertMissingScope(await list('', author), 'admin:moderate');
});
