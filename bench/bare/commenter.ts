// The baseline for commenting: the same statements, without HTTP and checks.
import { randomBytes } from 'node:crypto';
import { insertDelta } from '../../packages/server/src/areas/articles/queries/index.ts';
import {
  insertComment,
  insertIntoOwnList,
} from '../../packages/server/src/areas/social/queries/index.ts';
import { readConfig } from '../../packages/server/src/config/index.ts';
import { authenticator } from '../../packages/server/src/http/authenticate.ts';
import { lockAccount } from '../../packages/server/src/http/lock-account.ts';
import { claimKey, storeAnswer } from '../../packages/server/src/http/write/idempotency.ts';
import { chargeQuota } from '../../packages/server/src/http/write/quotas.ts';
import { bucketOf, newId } from '../../packages/server/src/lib/id.ts';
import { appendEvent } from '../../packages/server/src/event-log/index.ts';
import { openLog, openServices } from '../../packages/server/src/services.ts';

export interface Order {
  /** Tokens, which the clients use in turn. */
  readonly authors: readonly string[];
  /** Ids of the articles, used in turn. */
  readonly articles: readonly string[];
  readonly text: string;
  readonly seconds: number;
  readonly clients: number;
}

const config = readConfig();
const services = await openServices(config, openLog('warn'));
const { db } = services;
const authenticate = authenticator(db, config.deployment, () => undefined);
/** As long as the responses that the server stores for replays. */
const answer = { status: 201, body: '-'.repeat(900), location: '-'.repeat(39), etag: null };
let made = 0;

async function comment(token: string, articleId: string, text: string): Promise<void> {
  const author = await authenticate(token);
  if (author === undefined) throw new Error('The token is not known.');
  const now = new Date();
  const bucket = bucketOf(articleId);
  const key = { key: `bare-${process.pid}-${(made += 1)}`, fingerprint: randomBytes(32) };
  await db.transaction(async (tx) => {
    const claimed = claimKey(tx, author, key, now);
    void lockAccount(tx, author, { alone: false, withCredential: true });
    await claimed;
    const id = newId(bucket, now.getTime());
    const written = {
      bucket,
      id,
      authorId: author.id,
      ownerId: null,
      stance: null,
      content: `${made} ${text}`,
      now,
    };
    const [target] = await Promise.all([
      insertComment(tx, written, { articleId, parentId: null }),
      insertIntoOwnList(tx, author, id),
    ]);
    if (target === undefined) throw new Error('The article does not exist.');
    const action = 'comments.create';
    void tx.run(chargeQuota(author, { action, amount: 1, limit: 1e12, now }));
    insertDelta(tx, { bucket, id: articleId }, { comments: 1 }, now);
    const payload = {
      article_id: articleId,
      comment_id: id,
      parent_comment_id: null,
      stance: null,
      excerpt: text.slice(0, 280),
    };
    const event = {
      recipientId: target.article_author_id,
      type: 'comment.created' as const,
      actorId: author.id,
      subjectType: 'comment' as const,
      subjectId: id,
      payload,
    };
    appendEvent(tx, [event], now);
    storeAnswer(tx, author, key, { ...answer, now });
  });
}

/** Returns the comments per second of `clients` loops, each with one request at a time. */
async function run({ authors, articles, text, seconds, clients }: Order): Promise<number> {
  const since = performance.now();
  const end = since + seconds * 1000;
  let done = 0;
  const client = async (_: unknown, index: number) => {
    const token = authors[index % authors.length] ?? '';
    while (performance.now() < end) {
      await comment(token, articles[made % articles.length] ?? '', text);
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
