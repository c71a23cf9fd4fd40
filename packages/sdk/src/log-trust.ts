// Which log a caller trusts, and whether a checkpoint is signed by it and its witnesses.
import { checkNote, parseCheckpoint, parseNote, parseVerifierKey } from '@colophon/tlog';
import type { NoteCheck, VerifierKey } from '@colophon/tlog';
import { verifySignature } from './ed25519.ts';
import { sha256 } from './log-hash.ts';
import type { CheckpointReason, SignedCheckpoint, Witnessed } from './log-types.ts';

/** Keys that were read from a TrustedLog. */
export interface LogKeys {
  readonly log: VerifierKey;
  readonly witnesses: readonly VerifierKey[];
  readonly quorum: number;
}

export type OpenedCheckpoint =
  | { readonly checkpoint: SignedCheckpoint }
  | { readonly reason: CheckpointReason; readonly detail: string };

type Members = Readonly<Record<string, unknown>>;

const members: ReadonlySet<string> = new Set(['verifierKey', 'witnesses', 'quorum']);

function keyOf(text: unknown, algorithm: VerifierKey['algorithm']): VerifierKey | undefined {
  const key = typeof text === 'string' ? parseVerifierKey(sha256, text) : undefined;
  return key?.algorithm === algorithm ? key : undefined;
}

/** Returns the keys of witnesses; undefined if one is malformed or named twice. */
function witnessesOf(value: unknown): readonly VerifierKey[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const keys = value.map((one: unknown) => keyOf(one, 4));
  if (new Set(value).size !== value.length) return undefined;
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

/** All witnesses, unless a number of them is named. A quorum of 0 would be none. */
function quorumOf(value: unknown, witnesses: readonly VerifierKey[]): number | undefined {
  if (value === undefined) return witnesses.length;
  const quorum = Number.isInteger(value) ? Number(value) : 0;
  return quorum > 0 && quorum <= witnesses.length ? quorum : undefined;
}

/** Reads a trusted log; returns undefined unless all of it can be read. */
export function readTrustedLog(value: unknown): LogKeys | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.keys(value).every((name) => members.has(name))) return undefined;
  const { verifierKey, witnesses: named = [], quorum: asked } = value as Members;
  const [log, witnesses] = [keyOf(verifierKey, 1), witnessesOf(named)];
  if (log === undefined || witnesses === undefined) return undefined;
  const quorum = quorumOf(asked, witnesses);
  return quorum === undefined ? undefined : { log, witnesses, quorum };
}

/** The latest second of a date that JavaScript can name. */
const lastSecond = 8_640_000_000_000;

function witnessedOf({ verified }: NoteCheck, { witnesses }: LogKeys): readonly Witnessed[] {
  return verified.flatMap(({ key, timestamp }) =>
    witnesses.includes(key) && timestamp !== null && timestamp <= lastSecond
      ? [{ name: key.name, at: new Date(timestamp * 1000).toISOString() }]
      : [],
  );
}

/** Reads a checkpoint and verifies the signatures of the log and the witnesses. */
export async function openCheckpoint(note: string, keys: LogKeys): Promise<OpenedCheckpoint> {
  const parsed = parseNote(note);
  const checkpoint = parsed === undefined ? undefined : parseCheckpoint(parsed.text);
  if (parsed === undefined || checkpoint === undefined)
    return { reason: 'malformed', detail: 'The checkpoint is not a signed note of a log.' };
  const { origin, size, root } = checkpoint;
  if (origin !== keys.log.name)
    return { reason: 'other-log', detail: `The checkpoint is of the log ${origin}.` };
  const check = await checkNote(parsed, [keys.log, ...keys.witnesses], verifySignature);
  if (check.forged !== null)
    return {
      reason: 'signature',
      detail: `The signature of ${check.forged.name} does not verify.`,
    };
  if (!check.verified.some(({ key }) => key === keys.log))
    return { reason: 'other-log', detail: 'The checkpoint is not signed by the trusted key.' };
  const witnesses = witnessedOf(check, keys);
  if (witnesses.length < keys.quorum)
    return {
      reason: 'too-few-witnesses',
      detail: `${witnesses.length} of the trusted witnesses signed the checkpoint; ${keys.quorum} must.`,
    };
  return { checkpoint: { origin, size, root, note, witnesses } };
}
