// The client's types, seen by the compiler, and the tables behind them, compared with the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationList } from '@colophon/contract';
import { createClient, isProblem } from '@colophon/sdk';
import type { Client, Event, ItemOf, ProblemName } from '@colophon/sdk';
import { bytesNames, dryRunNames, preconditionNames, uploadNames } from '../src/marks.ts';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles for equal types only. */
function same<A, B>(...difference: Same<A, B> extends true ? [] : [never]): void {
  void difference;
}

/** Compiled, never called: each line that must not compile says so. */
export async function compiles(
  client: Client,
  error: unknown,
  maybe: string | undefined,
): Promise<void> {
  await client.readMe();
  await client.readMe({});
  await client.readMe({}, { requestId: 'request-1' });
  // @ts-expect-error no member
  await client.readMe({ id: 'x' });
  // @ts-expect-error the path needs an id
  await client.readArticle();
  // @ts-expect-error the path needs an id
  await client.readArticle({ view: 'latest' });
  // @ts-expect-error not a view
  await client.readArticle({ id: 'x', view: 'oldest' });
  // @ts-expect-error title is required
  await client.createArticle({ content: 'x' });
  // @ts-expect-error unknown member
  await client.createArticle({ title: 'x', content: 'x', colour: 'red' });
  // @ts-expect-error not a visibility
  await client.createArticle({ title: 'x', content: 'x', visibility: 'secret' });
  // @ts-expect-error takes no If-Match
  await client.closePrincipal({ id: 'x', confirm: 'close', articles: 'erase', if_match: 'y' });
  await client.uploadMedia({ id: 'x', bytes: new Uint8Array(1) });
  // @ts-expect-error bytes are required
  await client.uploadMedia({ id: 'x' });
  same<Awaited<ReturnType<typeof client.readMediaContent>>, Blob>();
  // @ts-expect-error no such variant
  await client.readMediaContent({ id: 'x', w: 100 });
  // @ts-expect-error takes no dry run
  await client.issueToken({ principal_id: 'x', name: 'y', dry_run: true });
  await client.createRevision({ id: 'x', if_match: 'y', title: maybe });
  await client.listArticles({ author: maybe, limit: 5 });

  const made = await client.createArticle({ title: 'x', content: 'x' });
  same<
    typeof made.status,
    'draft' | 'published' | 'unpublished' | 'hidden' | 'removed' | 'erased'
  >();
  same<typeof made.dry_run, true | undefined>();
  const tried = await client.createArticle({ title: 'x', content: 'x', dry_run: true });
  same<typeof tried.dry_run, true>();
  same<Awaited<ReturnType<typeof client.deleteArticle>>, undefined>();
  const { token } = await client.issueToken({ principal_id: 'x', name: 'y' });
  same<typeof token, string | null>();
  // @ts-expect-error an answer has no such member
  void made.colour;

  const reply = await client.withResponse.createRevision({ id: 'x' });
  same<typeof reply.status, 200 | 201>();
  same<typeof reply.etag, string | undefined>();
  for await (const article of client.each.listArticles({ author: 'ada' })) {
    same<typeof article, ItemOf<'listArticles'>>();
    same<typeof article.excerpt, string>();
  }
  for await (const event of client.events()) {
    if (event.type === 'comment.created')
      same<typeof event.payload.parent_comment_id, string | null>();
    if (event.type === 'report.resolved')
      same<typeof event.payload.status, 'actioned' | 'rejected'>();
    // @ts-expect-error no payload has it before the type is known
    void event.payload.parent;
  }
  for await (const event of client.events({ types: ['key.registered'] }))
    same<typeof event.payload.public_key, string>();
  // @ts-expect-error no such type
  client.events({ types: ['comment.deleted'] });
  const { items } = await client.listEvents();
  same<(typeof items)[number], Event>();
  // @ts-expect-error no list
  client.each.readArticle({ id: 'x' });
  if (isProblem(error)) same<typeof error.problem.name, ProblemName>();
  if (isProblem(error, 'gone')) same<typeof error.problem.name, 'gone'>();
  // @ts-expect-error not a problem
  isProblem(error, 'teapot');
}

test('the marks are those of the contract', () => {
  const marked = (mark: 'dryRun' | 'precondition' | 'upload' | 'contentTypes') =>
    operationList.filter((operation) => operation[mark]).map((operation) => operation.name);
  assert.deepEqual(new Set<string>(dryRunNames), new Set(marked('dryRun')));
  assert.deepEqual(new Set<string>(preconditionNames), new Set(marked('precondition')));
  assert.deepEqual(new Set<string>(uploadNames), new Set(marked('upload')));
  assert.deepEqual(new Set<string>(bytesNames), new Set(marked('contentTypes')));
});

test('no operation has two members of one name, so that a flat input is clear', () => {
  for (const operation of operationList) {
    const names = (schema: unknown) =>
      Object.keys((schema as { properties?: object } | null)?.properties ?? {});
    const all = [
      ...operation.params,
      ...names(operation.querySchema),
      ...names(operation.body ?? null),
      'if_match',
    ];
    assert.equal(new Set(all).size, all.length, operation.name);
  }
});

test('the client has one method per operation, in two forms, and a generator per list', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1' });
  const { withResponse, each, events, ...methods } = client;
  const names = operationList.map((operation) => operation.name);
  assert.deepEqual(Object.keys(methods), names);
  assert.deepEqual(Object.keys(withResponse), names);
  assert.equal(typeof events, 'function');
  assert.deepEqual(
    Object.keys(each),
    names.filter((name) => name.startsWith('list') || ['search', 'readFeed'].includes(name)),
  );
});
