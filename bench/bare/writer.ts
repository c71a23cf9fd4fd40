// The baseline for writing: the statements of creating and publishing, without HTTP, checks and hashes.
import { randomBytes } from 'node:crypto';
import {
  findRevisionSummary,
  insertArticle,
  lockArticle,
  setPublished,
} from '../../packages/server/src/areas/articles/queries/index.ts';
import { readConfig } from '../../packages/server/src/config/index.ts';
import type { Tx } from '../../packages/server/src/database/index.ts';
import { authenticator } from '../../packages/server/src/http/authenticate.ts';
import type { Caller } from '../../packages/server/src/http/index.ts';
import { lockAccount } from '../../packages/server/src/http/lock-account.ts';
import { claimKey, storeAnswer } from '../../packages/server/src/http/write/idempotency.ts';
import type { Key } from '../../packages/server/src/http/write/idempotency.ts';
import { chargeQuota } from '../../packages/server/src/http/write/quotas.ts';
import { newId } from '../../packages/server/src/lib/id.ts';
import { appendMessage } from '../../packages/server/src/outbox/index.ts';
import { openLog, openServices } from '../../packages/server/src/services.ts';
import { markdownOf } from '../parts/author.ts';

export interface Order {
  /** Tokens, which the clients use in turn. */
  readonly authors: readonly string[];
  readonly seconds: number;
  readonly clients: number;
  readonly publishes: boolean;
}

const config = readConfig();
const services = await openServices(config, openLog('warn'));
const { db } = services;
const authenticate = authenticator(db, config.deployment, () => undefined);
const text = markdownOf(4096);
const excerpt = text.slice(0, 280);
/** As long as the responses that the server stores for replays. */
const answer = { status: 201, body: '-'.repeat(620), location: '-'.repeat(39) };
let made = 0;

async function caller(token: string): Promise<Caller> {
  const found = await authenticate(token);
  if (found === undefined) throw new Error('The token is not known.');
  return found;
}

function freshKey(): Key {
  return { key: `bare-${process.pid}-${(made += 1)}`, fingerprint: randomBytes(32) };
}

function charge(tx: Tx, author: Caller, action: 'articles.create' | 'articles.publish', now: Date) {
  void tx.run(chargeQuota(author, { action, amount: 1, limit: 1e12, now }));
}

async function create(token: string): Promise<string> {
  const author = await caller(token);
  const now = new Date();
  const { bucket } = author;
  const id = newId(bucket, now.getTime());
  await db.transaction(async (tx) => {
    const key = freshKey();
    const claimed = claimKey(tx, author, key, now);
    void lockAccount(tx, author, { alone: false, withCredential: true });
    await claimed;
    const hash = `sha256:${randomBytes(32).toString('hex')}`;
    void insertArticle(tx, {
      bucket,
      id,
      authorId: author.id,
      authorKind: author.kind,
      visibility: 'public',
      language: 'en',
      disclosure: 'human_authored',
      canonicalUrl: null,
      revisionId: newId(bucket, now.getTime()),
      signingBase: config.baseUrl,
      content: { hash, title: `Bare ${made}`, content: `${made} ${text}`, metadata: '{}', excerpt },
      now,
    });
    charge(tx, author, 'articles.create', now);
    storeAnswer(tx, author, key, { ...answer, etag: null, now });
  });
  return id;
}

async function publish(token: string, id: string): Promise<void> {
  const author = await caller(token);
  const now = new Date();
  const place = { bucket: author.bucket, id };
  await db.transaction(async (tx) => {
    const key = freshKey();
    const claimed = claimKey(tx, author, key, now);
    void lockAccount(tx, author, { alone: false, withCredential: true });
    await claimed;
    const [, revision] = await Promise.all([
      lockArticle(tx, place),
      findRevisionSummary(tx, place, null),
    ]);
    if (revision === undefined) throw new Error('The article does not exist.');
    const publishedAt = now.toISOString();
    void setPublished(tx, place, {
      revisionId: revision.revision_id,
      publishedAt,
      signature: undefined,
      signed: false,
      now,
    });
    void appendMessage(tx, {
      bucket: place.bucket,
      type: 'article.changed',
      payload: { article_id: id },
    });
    charge(tx, author, 'articles.publish', now);
    storeAnswer(tx, author, key, { ...answer, etag: null, now });
  });
}

/** Returns the operations per second of `clients` loops, each with one request at a time. */
async function run({ authors, seconds, clients, publishes }: Order): Promise<number> {
  const since = performance.now();
  const end = since + seconds * 1000;
  let done = 0;
  const client = async (_: unknown, index: number) => {
    const token = authors[index % authors.length] ?? '';
    while (performance.now() < end) {
      const id = await create(token);
      if (publishes) await publish(token, id);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1000) / (performance.now() - since);
}

process.on('message', (order: Order) => {
  void run(order).then((rate) => process.send?.(rate));
});
process.once('disconnect', () => void services[Symbol.asyncDispose]());
process.send?.('ready');
