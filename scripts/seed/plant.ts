// Publishes one document, or finds it published, and reads it back.
import { isProblem } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import type { Account, Accounts, Published } from './accounts.ts';
import type { FoundDocument } from './documents.ts';
import { articleOf, contentHash, stepKey } from './packages.ts';
import type { SeedArticle } from './packages.ts';

/** `waiting`: no account may publish it today. */
export type Outcome = 'published' | 'already there' | 'waiting';

interface Placed {
  readonly account: Account;
  readonly holding: Published;
}

function findPlaced(accounts: Accounts, key: string): Placed | undefined {
  for (const account of accounts.all) {
    const holding = account.holdings.get(key);
    if (holding !== undefined) return { account, holding };
  }
  return undefined;
}

/** Creates the draft with the first account that may; returns undefined when no account may. */
async function draft(accounts: Accounts, article: SeedArticle): Promise<Placed | undefined> {
  for (;;) {
    const account = await accounts.reserve();
    if (account === undefined) return undefined;
    try {
      const { id } = await account.client.createArticle(
        { ...article },
        { idempotencyKey: stepKey('create', article) },
      );
      return { account, holding: { id, isPublished: false } };
    } catch (error) {
      if (!isProblem(error, 'quota-exceeded')) throw error;
      account.left = 0;
    }
  }
}

/** Returns whether it is published now; a draft beyond the allowance waits for another day. */
async function publish({ account, holding }: Placed, article: SeedArticle): Promise<boolean> {
  try {
    await account.client.publishArticle(
      { id: holding.id },
      { idempotencyKey: stepKey('publish', article) },
    );
    return true;
  } catch (error) {
    if (!isProblem(error, 'quota-exceeded')) throw error;
    account.left = 0;
    return false;
  }
}

/** @throws Error when the public text is not, byte for byte, the text that was sent */
async function compare(reader: Client, id: string, article: SeedArticle): Promise<void> {
  const read = await reader.readArticle({ id });
  if (!Buffer.from(read.content).equals(Buffer.from(article.content))) {
    throw new Error('the published content has different bytes');
  }
  const expected = contentHash(article);
  if (read.content_hash !== expected) {
    throw new Error(`content_hash is ${read.content_hash}, computed here ${expected}`);
  }
}

/**
 * Ensures that a document is published exactly once, and that its public text is unchanged.
 * @throws ProblemError; Error when the text was changed
 */
export async function plant(
  accounts: Accounts,
  reader: Client,
  document: FoundDocument,
): Promise<Outcome> {
  const article = articleOf(document);
  const found = findPlaced(accounts, article.metadata.seed_key);
  const placed = found ?? (await draft(accounts, article));
  if (placed === undefined) return 'waiting';
  const isThere = placed.holding.isPublished;
  if (!isThere && !(await publish(placed, article))) return 'waiting';
  await compare(reader, placed.holding.id, article);
  return isThere ? 'already there' : 'published';
}
