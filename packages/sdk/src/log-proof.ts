// Verifies the part of a proof that shows that a publication is in the transparency log.
import { fromBase64, leafHash, verifyInclusion } from '@colophon/tlog';
import canonicalize from 'canonicalize';
import { hexOf } from './hex.ts';
import { sha256 } from './log-hash.ts';
import { openCheckpoint } from './log-trust.ts';
import type { LogKeys, OpenedCheckpoint } from './log-trust.ts';
import type { LoggedFacts, LogReason, SignedCheckpoint } from './log-types.ts';
import { object, text } from './proof-shape.ts';
import type { Proof } from './proof-shape.ts';

/** What the log's part of a proof shows, given the keys of a log. */
export type LogJudgement =
  | { readonly logged: LoggedFacts }
  | { readonly absent: true }
  | { readonly refused: LogReason; readonly detail: string }
  | { readonly untrusted: 'other-log' | 'too-few-witnesses'; readonly detail: string };

interface LogMember {
  readonly origin: string;
  readonly index: number;
  readonly entry: string;
  readonly salt: string;
  readonly inclusion: readonly string[];
  readonly checkpoint: string;
}

/** More hashes than any tree needs. */
const longestProof = 64;
/** The longest entry of the log, in base64. */
const longestEntry = 8_192;

const isMember = object({
  origin: text(/^[^\n]+$/),
  index: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  entry: (value) => typeof value === 'string' && value.length <= longestEntry,
  salt: text(/^[A-Za-z0-9+/]{43}=$/),
  inclusion: (value) =>
    Array.isArray(value) &&
    value.length <= longestProof &&
    value.every(text(/^[A-Za-z0-9+/]{43}=$/)),
  checkpoint: text(/^/),
});

interface Read {
  readonly index: number;
  readonly entry: Uint8Array;
  readonly salt: Uint8Array;
  readonly inclusion: readonly Uint8Array[];
}

function bytesOf({ index, entry, salt, inclusion }: LogMember): Read | undefined {
  const decoded = { entry: fromBase64(entry), salt: fromBase64(salt) };
  const hashes = inclusion.map((hash) => fromBase64(hash));
  if (decoded.entry === undefined || decoded.salt === undefined) return undefined;
  if (!hashes.every((hash) => hash !== undefined)) return undefined;
  return { index, entry: decoded.entry, salt: decoded.salt, inclusion: hashes };
}

type Members = Readonly<Record<string, unknown>>;

/** Reads a leaf; returns undefined unless it is the canonical JSON of an object. */
function readEntry(entry: Uint8Array): Members | undefined {
  try {
    const form = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(entry);
    const value: unknown = JSON.parse(form);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return canonicalize(value) === form ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the commitment of a publication to its hash and signature, as a leaf contains it. */
function commitmentOf(
  salt: Uint8Array,
  { content_hash, signature }: Pick<Proof, 'content_hash' | 'signature'>,
): string {
  const committed = { content_hash, signature: signature?.signature ?? null };
  return hexOf(sha256(salt, new TextEncoder().encode(canonicalize(committed))));
}

/** Returns the first member of a leaf that contradicts a proof; undefined if there is none. */
function entryMismatch(
  leaf: Members,
  proof: Proof,
  commitment: string | undefined,
): string | undefined {
  const { signature } = proof;
  const expected: Members = {
    kind: 'publication',
    v: 1,
    article: proof.article_id,
    revision: proof.revision_id,
    author: proof.author_id,
    published_at: proof.published_at,
    signed: signature !== null,
    key: signature?.key.id ?? null,
    ...(commitment === undefined ? {} : { commitment }),
  };
  return Object.keys(expected).find((name) => leaf[name] !== expected[name]);
}

function judgeLeaf(proof: Proof, read: Read, checkpoint: SignedCheckpoint): LogJudgement {
  const leaf = readEntry(read.entry);
  if (leaf === undefined)
    return { refused: 'log-entry', detail: 'The leaf is not canonical JSON.' };
  const wrong = entryMismatch(leaf, proof, commitmentOf(read.salt, proof));
  if (wrong !== undefined)
    return { refused: 'log-entry', detail: `The leaf of the log has a different ${wrong}.` };
  const { origin, size, root, witnesses } = checkpoint;
  const inclusion = {
    index: read.index,
    size,
    root,
    leaf: leafHash(sha256, read.entry),
    proof: read.inclusion,
  };
  if (!verifyInclusion(sha256, inclusion))
    return { refused: 'log-inclusion', detail: 'The leaf is not in the tree of the checkpoint.' };
  return { logged: { origin, index: read.index, size, at: String(leaf['at']), witnesses } };
}

function judgeFault(opened: Exclude<OpenedCheckpoint, { checkpoint: unknown }>): LogJudgement {
  const { reason, detail } = opened;
  if (reason === 'malformed' || reason === 'signature')
    return { refused: 'log-checkpoint', detail };
  return { untrusted: reason, detail };
}

/** Judges the member `log` of a proof by the keys of the log that the caller trusts. */
export async function judgeLog(proof: Proof, log: unknown, keys: LogKeys): Promise<LogJudgement> {
  if (log === undefined || log === null) return { absent: true };
  const read = isMember(log) ? bytesOf(log as LogMember) : undefined;
  if (read === undefined) return { refused: 'log', detail: 'The proof of the log is malformed.' };
  const { origin, checkpoint } = log as LogMember;
  if (origin !== keys.log.name)
    return { untrusted: 'other-log', detail: 'The proof is of another log.' };
  const opened = await openCheckpoint(checkpoint, keys);
  return 'checkpoint' in opened ? judgeLeaf(proof, read, opened.checkpoint) : judgeFault(opened);
}
