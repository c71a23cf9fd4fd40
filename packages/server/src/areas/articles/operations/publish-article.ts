// POST /v1/articles/{id}/publish: moves the published pointer and appends the message, in one transaction.
import { operations } from '@colophon/contract';
import type { BodyOf, Operations } from '@colophon/contract';
import type { Db, Tx } from '#database';
import { implement, invalid, problem as anyProblem } from '#http';
import type { Caller, Fault, Problem } from '#http';
import { findKey, lockKeyForSigning } from '#identity';
import { verifyBySoundKey } from '#lib/ed25519';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { articlePath } from '#lib/slug';
import { detailsTag } from '#lib/details-tag';
import { timestamp } from '#lib/timestamp';
import type { PastPublication } from '#outbox';
import { articleChanged } from '../outbox.ts';
import {
  findDerived,
  findRevisionSummary,
  insertRepublication,
  lockArticle,
  setPublished,
} from '../queries/index.ts';
import type { ArticleRow, NewSignature, Publication, RevisionColumns } from '../queries/index.ts';
import { isOutOfOrder, isShownAlready } from '../rules/publications.ts';
import { keyFault, readSignature, signingInputOf } from '../rules/signatures.ts';
import {
  changeTime,
  requireAuthor,
  requireKnown,
  requireLive,
  requireNewest,
  stepsOf,
} from '../rules/articles.ts';

/** The number of minutes that a client's clock may be ahead. */
const aheadMinutes = 5;

type Input = BodyOf<Operations['publishArticle']>;

/** A signature after the checks that need no lock. */
interface CheckedSignature {
  readonly keyId: string;
  readonly signature: string;
  /** The revision whose signing input it verifies; undefined if it verifies none. */
  readonly verifiedId: string | undefined;
  readonly faults: readonly Fault[];
}

interface Signature {
  readonly keyId: string;
  /** In stored form: base64url without padding. */
  readonly signature: string;
  readonly bytes: Buffer;
}

/** Returns the signature in the body, or the faults of its form. */
function signatureFrom(input: Input): Signature | readonly Fault[] {
  const { signature, signature_key_id: keyId } = input;
  const faults: Fault[] = [];
  if (!signature !== !keyId) {
    faults.push({
      pointer: signature ? '/signature_key_id' : '/signature',
      code: 'required',
      detail: 'is required: send signature and signature_key_id together',
    });
  }
  const read = signature ? readSignature(signature) : undefined;
  if (signature && read === undefined) {
    faults.push({
      pointer: '/signature',
      code: 'format',
      detail: 'must be 64 bytes in canonical base64url or base64',
    });
  }
  return read === undefined || !keyId ? faults : { keyId, ...read };
}

/** Returns the signature in a body, once all that needs no article was checked. @throws validation-failed */
function checkBody(input: Input, now: Date): Signature | undefined {
  const signature = signatureFrom(input);
  const faults = 'keyId' in signature ? [] : [...signature];
  if (
    input.published_at &&
    Date.parse(input.published_at) > now.getTime() + aheadMinutes * 60_000
  ) {
    faults.push({
      pointer: '/published_at',
      code: 'future',
      detail: `is more than ${aheadMinutes} minutes in the future: send a time in the past, or leave it out for the current time`,
    });
  }
  if (faults.length > 0) throw invalid(faults);
  return 'keyId' in signature ? signature : undefined;
}

function hasSignature(
  revision: RevisionColumns,
  sent: Pick<Signature, 'keyId' | 'signature'>,
): boolean {
  return revision.signature === sent.signature && revision.signature_key_id === sent.keyId;
}

/**
 * Verifies a signature once, before any lock; a revision and its signing input never change. Runs only for
 * the author, so that no other caller can make the service spend this time.
 */
async function checkSignature(
  db: Db,
  caller: Caller,
  articleKey: RowKey & { readonly revisionId: string | null },
  sent: Signature,
): Promise<CheckedSignature> {
  const { keyId, signature, bytes } = sent;
  const [revision, key] = await Promise.all([
    findRevisionSummary(db, articleKey, articleKey.revisionId),
    findKey(db, keyId),
  ]);
  const fault = keyFault(key, caller.id);
  const unverified = { keyId, signature, verifiedId: undefined };
  if (fault !== undefined) return { ...unverified, faults: [fault] };
  if (key === undefined || revision?.author_id !== caller.id) return { ...unverified, faults: [] };
  const signedBytes = Buffer.from(signingInputOf(revision));
  const verifies =
    hasSignature(revision, sent) ||
    // Every registered key is sound.
    verifyBySoundKey(bytes, signedBytes, Buffer.from(key.public_key, 'base64url'));
  return { ...unverified, verifiedId: verifies ? revision.revision_id : undefined, faults: [] };
}

function unknownRevision(newest: string): Fault {
  const detail = `does not name a revision of this article: send the id of one; the newest is ${newest}`;
  return { pointer: '/revision_id', code: 'unknown', detail };
}

/** Returns the problem for a signature that does not verify, with the text to sign in full. */
function unverifiedProblem(text: string): Problem {
  const detail =
    'does not verify: sign exactly the bytes in `signing_input` of the revision with the private key';
  const { message, members } = invalid([{ pointer: '/signature', code: 'signature', detail }]);
  return anyProblem('validation-failed', message, { ...members, signing_input: text });
}

type Key = Awaited<ReturnType<typeof lockKeyForSigning>>;
type Revision = NonNullable<Awaited<ReturnType<typeof findRevisionSummary>>>;

/**
 * Returns the faults of the key: those found before the transaction, or those found now that the key is
 * locked.
 */
function keyFaults(
  check: CheckedSignature | undefined,
  key: Key,
  authorId: string,
): readonly Fault[] {
  if (check?.verifiedId === undefined) return check?.faults ?? [];
  const fault = keyFault(key, authorId);
  return fault === undefined ? [] : [fault];
}

/**
 * Requires that an approval publishes what the owner was shown: the agent may change visibility and disclosure at
 * the same time. Only the approval page sends `shown`, no request of the API.
 * @throws conflict
 */
function requireShown(article: ArticleRow, shown: string | undefined): void {
  if (shown === undefined || shown === detailsTag(article)) return;
  throw anyProblem('conflict', 'The article was changed. Look at it again.');
}

/** Requires that revision, key and signature in the body fit the article. @throws validation-failed */
function requireFitting(
  revision: Revision | undefined,
  check: CheckedSignature | undefined,
  key: Key,
  article: Pick<ArticleRow, 'author_id' | 'latest_revision_id'>,
): asserts revision is Revision {
  const faults = keyFaults(check, key, article.author_id);
  if (revision === undefined)
    throw invalid([unknownRevision(article.latest_revision_id), ...faults]);
  if (faults.length > 0) throw invalid(faults);
  if (check !== undefined && check.verifiedId !== revision.revision_id)
    throw unverifiedProblem(signingInputOf(revision));
}

/**
 * Returns the signature to store, or undefined when the body has none or the revision already has the same
 * one.
 */
function newSignature(
  revision: Revision,
  check: CheckedSignature | undefined,
  key: Key,
  now: Date,
): NewSignature | undefined {
  if (check === undefined || key === undefined || hasSignature(revision, check)) return undefined;
  const { signature, keyId } = check;
  // Clocks of several machines differ; no signature may be dated before its key or its publication.
  const times = [timestamp(now), key.created_at, revision.revision_published_at ?? ''].sort();
  return { signature, keyId, signedAt: times.at(-1) ?? timestamp(now) };
}

/** Returns what the article will no longer show of this publication, or of the one that it replaces. */
function pastPublication(
  article: Pick<ArticleRow, 'published_revision_id' | 'status' | 'visibility'>,
  revision: Revision,
  signature: NewSignature | undefined,
  now: Date,
): PastPublication | undefined {
  const { revision_id, revision_published_at } = revision;
  if (revision_published_at === null) return undefined;
  const before = {
    signature: revision.signature,
    signature_key_id: revision.signature_key_id,
    shown: article.status === 'published' && article.visibility === 'public',
  };
  if (signature !== undefined) return { revision_id, ...before, again_at: null };
  return article.published_revision_id === revision_id
    ? undefined
    : { revision_id, ...before, again_at: timestamp(now) };
}

/** Returns the time of the publication: after an earlier one, and not before its revision, which may be newer than `now`. */
function timeOf(article: ArticleRow, revision: RevisionColumns, now: Date): Date {
  const at = article.published_revision_id === null ? now : changeTime(article, now);
  return new Date(Math.max(at.getTime(), Date.parse(revision.revision_created_at)));
}

/** Moves the published pointer. */
function storePublication(
  tx: Tx,
  { article, revision }: { readonly article: ArticleRow; readonly revision: Revision },
  publication: Omit<Publication, 'revisionId'>,
): void {
  const key = keyOf(article.id);
  const published = { ...publication, revisionId: revision.revision_id };
  void setPublished(tx, key, published);
  if (isOutOfOrder(article, revision)) void insertRepublication(tx, key, published);
}

/** The derived rows of a revision that is being published. */
const nothingDerived = { indexed: false, in_sitemap: false, pictured: false } as const;

/** Returns which derived rows there are: none of a revision that has just been published. */
function derivedAfter(tx: Tx, key: RowKey, changes: boolean) {
  return changes ? nothingDerived : findDerived(tx, key);
}

export const publishArticle = implement(
  operations.publishArticle,
  async ({ now, db, caller }, { params, body }) => {
    const signature = checkBody(body, now);
    if (signature === undefined) return undefined;
    const articleKey = keyOf(params.id);
    return checkSignature(
      db,
      caller,
      { ...articleKey, revisionId: body.revision_id ?? null },
      signature,
    );
  },
)(async ({ tx, caller, problem, config, now, charge }, { params, body, ifMatch, shown }, check) => {
  const articleKey = keyOf(params.id);
  const [article, revision, key] = await Promise.all([
    lockArticle(tx, articleKey),
    findRevisionSummary(tx, articleKey, body.revision_id ?? null),
    check?.verifiedId === undefined ? undefined : lockKeyForSigning(tx, check.keyId),
  ]);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, false);
  requireLive(problem, article);
  requireNewest(problem, article, ifMatch);
  requireShown(article, shown);
  requireFitting(revision, check, key, article);
  const at = timeOf(article, revision, now);
  const signature = newSignature(revision, check, key, at);
  const signed = signature !== undefined || revision.signature !== null;
  // Later publications keep the first date, at which readers could first see the article.
  const publishedAt = article.published_at ?? body.published_at ?? timestamp(at);
  const status = article.status === 'draft' ? 'published' : article.status;
  const changes = !isShownAlready(article, revision, signature);
  if (changes) {
    storePublication(tx, { article, revision }, { publishedAt, signature, signed, now: at });
    articleChanged(tx, articleKey, now, pastPublication(article, revision, signature, at));
    charge('articles.publish');
  }
  const derived = await derivedAfter(tx, articleKey, changes);
  return {
    status: 200,
    body: {
      id: articleKey.id,
      revision_id: revision.revision_id,
      url: `${config.baseUrl}${articlePath(revision.username, revision.title ?? '', articleKey.id)}`,
      published_at: publishedAt,
      signed,
      processing: stepsOf({ ...article, status }, derived, config),
    },
  };
});
