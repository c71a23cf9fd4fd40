// Proofs that a publication is in the log, and what identifies the log.
import type { LogProof } from '@colophon/contract';
import { inclusionProof, toBase64 } from '@colophon/tlog';
import type { HashReader } from '@colophon/tlog';
import type { Config } from '#config';
import type { Db } from '#database';
import { sha256 } from '#lib/sha256';
import { findHead, findProofParts, listLogKeys } from '../queries/index.ts';
import type { LogKey, ProofParts, ProvenLeaf } from '../queries/index.ts';
import { publicationCause } from '../rules/leaves.ts';
import { activeKeys, keysThatSigned } from '../rules/signing-keys.ts';
import { readerOf } from './tiles.ts';

/** A revision with the signature that its proof shows. */
export interface ProvenRevision {
  readonly revisionId: string;
  readonly signature: string | null;
}

function proofOf(
  { number, entry, salt }: ProvenLeaf,
  { origin, size, checkpoint }: ProofParts['head'],
  readHash: HashReader,
): LogProof {
  const inclusion = inclusionProof(sha256, number, size, readHash);
  return {
    origin,
    index: number,
    entry: Buffer.from(entry).toString('base64'),
    salt: salt.toString('base64'),
    inclusion: inclusion.map((hash) => toBase64(hash)),
    checkpoint,
  };
}

/**
 * Returns the proofs of publications in the published tree, in their order: all in the same one. Null for those
 * that are not in it.
 */
export async function proveLogged(
  db: Db,
  revisions: readonly ProvenRevision[],
): Promise<readonly (LogProof | null)[]> {
  const causes = revisions.map((one) => publicationCause(one.revisionId, one.signature));
  const parts = causes.length === 0 ? undefined : await findProofParts(db, causes);
  if (parts === undefined) return causes.map(() => null);
  const { head, tiles } = parts;
  const readHash = readerOf(head.size, tiles);
  const byCause = new Map(parts.leaves.map((leaf) => [leaf.cause, leaf]));
  return causes.map((cause) => {
    const leaf = byCause.get(cause);
    return leaf === undefined ? null : proofOf(leaf, head, readHash);
  });
}

/**
 * Returns the keys that sign, the newest first: without one that has not signed the published checkpoint, as when
 * its file is not in place.
 */
function signingKeys(keys: readonly LogKey[], checkpoint: string | null): readonly string[] {
  const active = activeKeys(keys);
  const signed = keysThatSigned(active, checkpoint);
  return signed.length === 0 ? active : signed;
}

/** Returns what clients need to verify checkpoints; null before the log was started. */
export async function describeLog(
  db: Db,
  { baseUrl, witnesses }: Pick<Config, 'baseUrl' | 'witnesses'>,
  witnessKey: string | null,
) {
  const [head, keys] = await Promise.all([findHead(db), listLogKeys(db)]);
  const [newest, previous] = signingKeys(keys, head?.checkpoint ?? null);
  if (head === undefined || newest === undefined) return null;
  return {
    origin: head.origin,
    url: `${baseUrl}/log`,
    verifier_key: newest,
    previous_verifier_key: previous ?? null,
    witnesses: witnesses.map(({ verifierKey }) => verifierKey),
    witness_key: witnessKey,
  };
}
