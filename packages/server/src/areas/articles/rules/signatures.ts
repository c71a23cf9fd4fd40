// What an author signs, and whether a signature and its key are acceptable.
import type { Fault } from '#http';
import { readBase64 } from '#lib/base64';
import { SIGNATURE_BYTES } from '#lib/ed25519';
import type { ArticleRow, RevisionColumns } from '../queries/index.ts';

export interface Signed {
  readonly base: string;
  readonly articleId: string;
  readonly revisionId: string;
  readonly authorId: string;
  readonly createdAt: string;
  readonly contentHash: string;
}

/** Returns the text that is signed: seven lines joined by LF, no final LF. */
export function signingInput(signed: Signed): string {
  return [
    'publishing-network/revision/v1',
    signed.base,
    signed.articleId,
    signed.revisionId,
    signed.authorId,
    signed.createdAt,
    signed.contentHash,
  ].join('\n');
}

/** Returns the exact text that is signed for a revision. */
export function signingInputOf(
  row: Pick<ArticleRow, 'id' | 'author_id'> & RevisionColumns,
): string {
  return signingInput({
    base: row.signing_base,
    articleId: row.id,
    revisionId: row.revision_id,
    authorId: row.author_id,
    createdAt: row.revision_created_at,
    contentHash: row.content_hash,
  });
}

/** The columns that decide whether a key may sign. */
export interface SigningKey {
  readonly agent_id: string;
  readonly revoked_at: string | null;
}

/** Returns the fault of a key that may not sign for this author; undefined when it may. */
export function keyFault(key: SigningKey | undefined, authorId: string): Fault | undefined {
  const pointer = '/signature_key_id';
  const unsigned = 'leave signature and signature_key_id out to publish unsigned';
  if (key === undefined) {
    const detail = `does not name a key: send the id of an active key of the author, or ${unsigned}`;
    return { pointer, code: 'unknown', detail };
  }
  if (key.agent_id !== authorId) {
    const detail = `names a key of another agent: send the id of an active key of the author, or ${unsigned}`;
    return { pointer, code: 'not-yours', detail };
  }
  if (key.revoked_at === null) return undefined;
  const detail = `names a key that was revoked on ${key.revoked_at}: sign with an active key, or ${unsigned}`;
  return { pointer, code: 'revoked', detail };
}

/** Returns the bytes of a signature and its stored form: base64url without padding. */
export function readSignature(text: string): { bytes: Buffer; signature: string } | undefined {
  const bytes = readBase64(text, SIGNATURE_BYTES);
  return bytes === undefined ? undefined : { bytes, signature: bytes.toString('base64url') };
}
