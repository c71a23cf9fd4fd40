// Proofs that a publication is in the log, and what identifies the log.
import { hashesNeededForInclusion, inclusionProof, toBase64 } from '@colophon/tlog';
import type { Config } from '#config';
import type { Db } from '#database';
import { sha256 } from '#lib/sha256';
import { findHead, findPublication, listLogKeys } from '../queries/index.ts';
import { publicationCause } from '../rules/leaves.ts';
import { loadHashes } from './tiles.ts';

/** A revision with the signature that its proof shows. */
export interface ProvenRevision {
  readonly revisionId: string;
  readonly signature: string | null;
}

/** Returns the proof of a publication in the published tree; null while it is not in it. */
export async function proveLogged(db: Db, { revisionId, signature }: ProvenRevision) {
  const [leaf, head] = await Promise.all([
    findPublication(db, publicationCause(revisionId, signature)),
    findHead(db),
  ]);
  const size = head?.published_size ?? 0;
  const checkpoint = head?.checkpoint ?? null;
  if (leaf === undefined || head === undefined || checkpoint === null || leaf.number >= size)
    return null;
  const readHash = await loadHashes(db, size, hashesNeededForInclusion(leaf.number, size));
  const inclusion = inclusionProof(sha256, leaf.number, size, readHash);
  return {
    origin: head.origin,
    index: leaf.number,
    entry: Buffer.from(leaf.entry).toString('base64'),
    salt: leaf.salt.toString('base64'),
    inclusion: inclusion.map((hash) => toBase64(hash)),
    checkpoint,
  };
}

/** Returns what clients need to verify checkpoints; null before the log was started. */
export async function describeLog(
  db: Db,
  { baseUrl, witnesses }: Pick<Config, 'baseUrl' | 'witnesses'>,
  witnessKey: string | null,
) {
  const [head, keys] = await Promise.all([findHead(db), listLogKeys(db)]);
  const [newest, previous] = keys.filter((key) => key.retired_at === null);
  if (head === undefined || newest === undefined) return null;
  return {
    origin: head.origin,
    url: `${baseUrl}/log`,
    verifier_key: newest.verifier_key,
    previous_verifier_key: previous?.verifier_key ?? null,
    witnesses: witnesses.map(({ verifierKey }) => verifierKey),
    witness_key: witnessKey,
  };
}
