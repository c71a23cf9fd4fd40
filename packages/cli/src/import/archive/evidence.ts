// What an export proves about the origin of a text: its hash, and its signature where it has one.
import { verifyProof } from '@colophon/sdk';
import type { ArticleFile, RevisionRecord } from './records.ts';

export type Evidence =
  | { readonly members: Readonly<Record<string, unknown>> | undefined; readonly fault?: string }
  /** The text itself is not the one that the export names. */
  | { readonly changed: string };

/** Returns an unsigned proof that says what the records of the export say. */
function claimOf({ article }: ArticleFile, revision: RevisionRecord) {
  const [, base_url = '', , , author_id = ''] = revision.signing_input.split('\n');
  const { revision_id, created_at, content_hash, signing_input } = revision;
  return {
    article_id: article.id,
    revision_id,
    author_id,
    base_url,
    created_at,
    published_at: revision.published_at,
    content_hash,
    signing_input,
    previous: null,
    signature: null,
  };
}

/** Returns whether a proof of the archive is about this revision and its signature. */
function isAbout(proof: unknown, file: ArticleFile, revision: RevisionRecord): boolean {
  if (typeof proof !== 'object' || proof === null) return false;
  const { article_id, revision_id, signature } = proof as Record<string, unknown>;
  const { signature: bytes, key } = (signature ?? {}) as { signature?: unknown; key?: unknown };
  const { public_key } = (key ?? {}) as { public_key?: unknown };
  return (
    article_id === file.article.id &&
    revision_id === revision.revision_id &&
    bytes === revision.signature?.signature &&
    public_key === revision.signature?.public_key
  );
}

/**
 * Verifies hash and signature offline. A signature is returned only if it verifies over this text. Nothing
 * here says whether the key can be trusted: that is for the reader of the evidence.
 */
export async function evidenceOf(
  file: ArticleFile,
  revision: RevisionRecord,
  proof: unknown,
): Promise<Evidence> {
  const { title, content, metadata, signature, signing_input } = revision;
  const text = { title, content, metadata };
  const claim = await verifyProof(claimOf(file, revision), { text });
  if (claim.result === 'refused' && claim.reason !== 'unsigned') return { changed: claim.detail };
  if (signature === null) return { members: undefined };
  if (!isAbout(proof, file, revision))
    return { members: undefined, fault: 'The export contains no proof of it.' };
  const verdict = await verifyProof(proof, { text });
  if (verdict.result === 'refused') return { members: undefined, fault: verdict.detail };
  const { public_key, key_id } = signature;
  const members = { signing_input, signature: signature.signature, public_key, key_id };
  return { members };
}
