// What must not compile: each line below is an error that the type checker finds, or `npm run check` fails.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { operations } from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { implement } from '#http';

const me = {
  principal: {
    id: 'x',
    kind: 'human',
    username: 'x',
    display_name: null,
    bio: null,
    created_at: 'x',
    trust_level: 0,
    status: 'active',
    trust: 'untrusted',
  },
  token: null,
  scopes: [],
} as const;

async function write(tx: Tx): Promise<number> {
  return tx.run(sql`select 1`);
}

async function read(db: Db): Promise<unknown> {
  return db.first(sql<{ one: number }>`select 1 as one`);
}

test('types check a handler against its operation', () => {
  const bound = [
    implement(operations.readMe)(async () => ({ status: 200, body: { ...me, scopes: [] } })),

    implement(operations.readMe)(
      // @ts-expect-error the answer lacks declared members
      async () => ({ status: 200, body: { principal: me.principal } }),
    ),

    implement(operations.readMe)(
      // @ts-expect-error the operation declares no such status
      async () => ({ status: 201, body: { ...me, scopes: [] } }),
    ),

    implement(operations.readMe)(async ({ problem }) => {
      // @ts-expect-error the operation does not declare this problem
      throw problem('gone', 'It was removed.');
    }),

    implement(operations.deleteArticle)(async ({ problem }) => {
      throw problem('gone', 'It was removed.');
    }),

    implement(operations.deleteArticle)(async ({ problem }) => ({
      refusal: problem('gone', 'It was removed.'),
    })),

    implement(operations.readArticle)(
      // @ts-expect-error a read operation has nothing to keep beside its refusal
      async ({ problem }) => ({ refusal: problem('gone', 'It was removed.') }),
    ),

    implement(operations.readMe)(async ({ db }) => {
      // @ts-expect-error a read operation has no transaction to write with
      await write(db);
      return { status: 200, body: { ...me, scopes: [] } };
    }),

    // @ts-expect-error a read operation is given no transaction at all
    implement(operations.readMe)(async ({ tx }) => {
      await read(tx);
      return { status: 200, body: { ...me, scopes: [] } };
    }),

    implement(operations.deleteArticle)(async ({ tx }) => {
      await read(tx);
      await write(tx);
      return { status: 204, body: undefined };
    }),

    implement(operations.readArticle)(async ({ caller, problem }) => {
      // @ts-expect-error a public operation may have no caller
      assert.ok(caller.id);
      throw problem('gone', 'It was removed.');
    }),
  ];
  assert.equal(bound.length, 11);
});
