// The requests of C2SP tlog-witness: an old size, a proof and a checkpoint. Pure.
import {
  checkNote,
  emptyRoot,
  equalBytes,
  fromBase64,
  parseCheckpoint,
  parseNote,
  toBase64,
  verifyConsistency,
} from '@colophon/tlog';
import type { Checkpoint, Note, VerifierKey } from '@colophon/tlog';
import { problem } from '#http';
import { verifySignature } from '#lib/ed25519';
import { sha256 } from '#lib/sha256';

export interface WitnessRequest {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  readonly note: Note;
  readonly checkpoint: Checkpoint;
}

const proofMax = 63;
const hashBytes = 32;

/** Returns the body that asks a witness to cosign. */
export function writeRequest(oldSize: number, proof: readonly Uint8Array[], note: string): string {
  return `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`;
}

function proofOf(lines: readonly string[]): readonly Uint8Array[] | undefined {
  const hashes = lines.flatMap((line) => fromBase64(line) ?? []);
  const fits = hashes.length === lines.length && hashes.every(({ length }) => length === hashBytes);
  return fits && lines.length <= proofMax ? hashes : undefined;
}

/** Reads the part before the empty line. */
function readProof(
  lines: readonly string[],
): Pick<WitnessRequest, 'oldSize' | 'proof'> | undefined {
  const [first = '', ...hashes] = lines;
  const digits = /^old (0|[1-9]\d{0,14})$/.exec(first)?.[1];
  const proof = proofOf(hashes);
  return digits === undefined || proof === undefined
    ? undefined
    : { oldSize: Number(digits), proof };
}

/** Reads the part after it. */
function readCheckpoint(text: string): Pick<WitnessRequest, 'note' | 'checkpoint'> | undefined {
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note?.text ?? '');
  return note === undefined || checkpoint === undefined ? undefined : { note, checkpoint };
}

function parseParts(body: string): WitnessRequest | undefined {
  const blank = body.indexOf('\n\n');
  const before = readProof(body.slice(0, Math.max(blank, 0)).split('\n'));
  const after = readCheckpoint(body.slice(blank + 2));
  return before === undefined || after === undefined ? undefined : { ...before, ...after };
}

/** Reads a request. @throws invalid-request */
export function parseRequest(body: string): WitnessRequest {
  const request = parseParts(body);
  if (request === undefined)
    throw problem(
      'invalid-request',
      'The body is not a request of C2SP tlog-witness: send an old size, at most 63 hashes, an empty line and a checkpoint.',
    );
  if (request.oldSize > request.checkpoint.size)
    throw problem('invalid-request', 'The old size is larger than that of the checkpoint.');
  return request;
}

/**
 * Requires that one of the log's keys signed the checkpoint.
 * @throws not-found: there are no keys, because the log is unknown; forbidden
 */
export async function requireSigned(
  { note }: WitnessRequest,
  keys: readonly VerifierKey[],
): Promise<void> {
  if (keys.length === 0)
    throw problem('not-found', 'This witness does not know the log that the checkpoint names.');
  const { verified, forged } = await checkNote(note, keys, verifySignature);
  if (forged === null && verified.length > 0) return;
  throw problem('forbidden', 'No key of the log that this witness knows verifies the checkpoint.');
}

/**
 * Requires that a checkpoint continues the one that was cosigned last, which has the old size.
 * @throws validation-failed
 */
export function requireContinuation(
  { oldSize, proof, checkpoint: { size, root } }: WitnessRequest,
  seen: { readonly root: string },
): void {
  const isConsistent = verifyConsistency(sha256, {
    oldSize,
    oldRoot: Buffer.from(seen.root, 'hex'),
    newSize: size,
    newRoot: root,
    proof,
  });
  const isEmptyRoot = size > 0 || equalBytes(root, emptyRoot(sha256));
  if (isConsistent && isEmptyRoot) return;
  throw problem(
    'validation-failed',
    'The proof does not show that the checkpoint continues that of the old size.',
    { errors: [] },
  );
}
