// The wire forms of revisions and of their proofs.
import type { Caller } from '#http';
import { storedJson } from '#lib/stored-json';
import type { ProofRow, RevisionRow } from '../queries/index.ts';
import { mayReadUnpublished } from '../rules/articles.ts';
import { signingInputOf } from '../rules/signatures.ts';
import { signatureView } from './articles.ts';

type Revision = Omit<RevisionRow, 'content'>;

export function revisionSummaryView(row: Revision) {
  return {
    article_id: row.id,
    revision_id: row.revision_id,
    previous_revision_id: row.previous_revision_id,
    title: row.title ?? '',
    content_hash: row.content_hash,
    created_at: row.revision_created_at,
    published_at: row.revision_published_at,
    signature: signatureView(row),
    signing_input: signingInputOf(row),
    trust: 'untrusted' as const,
  };
}

export function revisionView(row: RevisionRow) {
  return {
    ...revisionSummaryView(row),
    content: row.content ?? '',
    content_type: 'text/markdown' as const,
    metadata: storedJson(row.metadata ?? '{}'),
  };
}

function proofSignature(row: ProofRow) {
  const shown = signatureView(row);
  const { signed_at, key_agent_id: agent_id, key_created_at: created_at } = row;
  if (shown === null || signed_at === null || agent_id === null || created_at === null) return null;
  const key = {
    id: shown.key_id,
    agent_id,
    public_key: shown.public_key,
    status: shown.key_status,
    created_at,
    revoked_at: row.key_revoked_at,
    compromised_at: row.key_compromised_at,
  };
  return { signature: shown.signature, signed_at, key };
}

/** The hash of an unpublished text is withheld: a reader could test guesses at the text against it. */
function previousView(row: ProofRow, caller: Caller | null) {
  if (row.previous_revision_id === null) return null;
  const open = row.previous_published_at !== null || mayReadUnpublished(row, caller);
  const content_hash = open ? row.previous_content_hash : null;
  return { revision_id: row.previous_revision_id, content_hash };
}

/** Returns everything needed to verify a revision without the service. */
export function proofView(row: ProofRow, caller: Caller | null) {
  return {
    article_id: row.id,
    revision_id: row.revision_id,
    author_id: row.author_id,
    base_url: row.signing_base,
    created_at: row.revision_created_at,
    published_at: row.revision_published_at,
    content_hash: row.content_hash,
    signing_input: signingInputOf(row),
    previous: previousView(row, caller),
    signature: proofSignature(row),
  };
}
