// Articles whose author publishes other revisions after a report or an action.
import assert from 'node:assert/strict';
import type { Human, TestServer } from './harness.ts';
import { publish, revise } from './signed-articles.ts';
import type { Draft } from './signed-articles.ts';

/** A published article with its revisions, oldest first. */
export interface Revised {
  readonly author: Human;
  readonly id: string;
  readonly url: string;
  readonly first: string;
  readonly second: string;
}

/** Publishes a revision again, or for the first time. */
export async function show(
  server: TestServer,
  { author, id }: Pick<Revised, 'author' | 'id'>,
  revisionId: string,
): Promise<void> {
  const done = await publish(server, author, id, { body: { revision_id: revisionId } });
  assert.equal(done.status, 200, JSON.stringify(done.body));
}

/** An article that shows its first revision, VERSION ONE; the second, VERSION TWO, is not published. */
export async function revisedArticle(server: TestServer): Promise<Revised> {
  const author = await server.register();
  const text = { title: 'Title one', content: 'VERSION ONE' };
  const made = await server.published(author, text);
  const next = await revise(server, author, made as Draft, 'VERSION TWO');
  const { id, url, revision_id: first } = made;
  return { author, id, url, first, second: next.revision_id };
}
