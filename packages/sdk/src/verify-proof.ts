// Verifies the proof of a published revision offline, against a given trust.
import { contentHash } from './content-hash.ts';
import type { ProvenText } from './content-hash.ts';
import { bytesOf, verifySignature } from './ed25519.ts';
import { copyOf, readProof } from './proof-shape.ts';
import type { Proof } from './proof-shape.ts';
import { judgeLog } from './log-proof.ts';
import type { LogJudgement } from './log-proof.ts';
import type { LoggedFacts } from './log-types.ts';
import { judge } from './proof-trust.ts';
import type { Judged, TrustReason } from './proof-trust.ts';
import type {
  LogState,
  ProofFacts,
  ProofReason,
  ProofVerdict,
  Unchecked,
} from './proof-verdict.ts';
import { readTrust } from './read-trust.ts';
import type { Trusted } from './trusted.ts';

export interface VerifyOptions {
  /** What you trust. Without it a proof is `consistent` at best. */
  readonly trusted?: Trusted | undefined;
  /** The text that must be the signed one: an article or a revision as the service returns it. */
  readonly text?: ProvenText | undefined;
  /** The proof of the previous revision, which must be adjacent and consistent too. */
  readonly previous?: unknown;
}

const optionNames: ReadonlySet<string> = new Set(['trusted', 'text', 'previous']);
const encoder = new TextEncoder();

interface InLog {
  readonly log: LogState;
  readonly logged: LoggedFacts | null;
}

interface Shortfall {
  readonly reason: TrustReason;
  readonly detail: string;
}

const unknownToLog: InLog = { log: 'not-checked', logged: null };

function refuse(reason: ProofReason, detail: string, inLog = unknownToLog): ProofVerdict {
  return { result: 'refused', valid: false, consistent: false, reason, detail, ...inLog };
}

function signingInput(proof: Proof): string {
  return [
    'publishing-network/revision/v1',
    proof.base_url,
    proof.article_id,
    proof.revision_id,
    proof.author_id,
    proof.created_at,
    proof.content_hash,
  ].join('\n');
}

type Signature = NonNullable<Proof['signature']>;

async function verifies({ signature, key }: Signature, input: string): Promise<boolean> {
  const [bytes, publicKey] = [bytesOf(signature), bytesOf(key.public_key)];
  if (bytes === undefined || publicKey === undefined) return false;
  return verifySignature(bytes, encoder.encode(input), publicKey);
}

function neighbourFault(proof: Proof, before: Proof): string | undefined {
  const named = proof.previous;
  if (before.article_id !== proof.article_id || before.author_id !== proof.author_id)
    return 'The previous revision belongs to another article.';
  if (before.base_url !== proof.base_url)
    return 'The previous revision belongs to another service.';
  if (named?.revision_id !== before.revision_id)
    return 'The proof names a different previous revision.';
  if (named.content_hash !== before.content_hash)
    return 'The proof names a different hash of the previous revision.';
  return undefined;
}

async function chainFault(proof: Proof, previous: unknown): Promise<string | undefined> {
  if (proof.previous?.revision_id === proof.revision_id)
    return 'The revision names itself as the previous one.';
  if (previous === undefined) return undefined;
  const read = readProof(previous);
  if ('fault' in read) return `The proof of the previous revision is malformed. ${read.fault}`;
  const before = read.proof;
  const input = signingInput(before);
  if (before.signing_input !== input)
    return 'The signing input of the previous revision does not match its proof.';
  if (before.signature !== null && !(await verifies(before.signature, input)))
    return 'The signature of the previous revision does not verify.';
  return neighbourFault(proof, before);
}

async function textFault(proof: Proof, text: unknown): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const hash = await contentHash(text as ProvenText);
  if (hash === undefined) return 'The text has no canonical form.';
  return hash === proof.content_hash ? undefined : `The text has the hash ${hash}.`;
}

function notChecked({ checked }: Judged, given: Copies, { log }: InLog): readonly Unchecked[] {
  const ofTrust = (['service', 'key', 'author', 'key_state'] as const).filter(
    (name) => !checked.includes(name),
  );
  return [
    ...ofTrust,
    ...(given.text === undefined ? (['text'] as const) : []),
    'previous',
    'signed_at',
    'published_at',
    ...(log === 'included' ? [] : (['log'] as const)),
  ];
}

interface Copies {
  readonly proof: unknown;
  readonly text: unknown;
  readonly previous: unknown;
  readonly trusted: unknown;
}

/**
 * Returns copies of all input, or a verdict when it cannot be copied. A trust that cannot be copied becomes
 * null, which is malformed.
 */
function copies(proof: unknown, options: VerifyOptions): Copies | ProofVerdict {
  const unknown = Object.keys(options).find((name) => !optionNames.has(name));
  if (unknown !== undefined) throw new TypeError(`verifyProof has no option ${unknown}.`);
  const own = copyOf(() => proof);
  const text = copyOf(() => options.text);
  const previous = copyOf(() => options.previous);
  // An inherited one was not given: a polluted prototype must not make anything valid.
  const trusted = copyOf(() => (Object.hasOwn(options, 'trusted') ? options.trusted : undefined));
  if (own === undefined) return refuse('malformed', 'The proof cannot be read.');
  if (previous === undefined)
    return refuse('chain', 'The proof of the previous revision cannot be read.');
  if (text === undefined) return refuse('content-hash', 'The text cannot be read.');
  return {
    proof: own.copy,
    text: text.copy,
    previous: previous.copy,
    trusted: trusted === undefined ? null : trusted.copy,
  };
}

/** The part of the log in the verdict, given what was found. */
function inLogOf(found: LogJudgement | undefined): InLog {
  if (found === undefined) return unknownToLog;
  if ('logged' in found) return { log: 'included', logged: found.logged };
  return 'absent' in found ? { log: 'absent', logged: null } : unknownToLog;
}

/** When a trusted witness had seen the publication at the latest; null without one. */
function witnessedAt({ logged }: InLog): string | null {
  const times = (logged?.witnesses ?? []).map(({ at }) => at);
  return times.toSorted().at(-1) ?? null;
}

/** What the trusted log shows; undefined if the trust names none. */
async function inTrustedLog(proof: Proof, given: Copies): Promise<LogJudgement | undefined> {
  const keys = readTrust(given.trusted)?.log;
  if (keys === undefined) return undefined;
  return judgeLog(proof, (given.proof as { readonly log?: unknown }).log, keys);
}

/** Why a consistent proof is not valid; undefined if it is. */
function shortfallOf(
  { trusted, reason = 'no-trust', detail = '' }: Judged,
  found: LogJudgement | undefined,
): Shortfall | undefined {
  if (trusted === undefined) return { reason, detail };
  if (found === undefined || !('untrusted' in found)) return undefined;
  return { reason: found.untrusted, detail: found.detail };
}

function verdictOf(
  proof: Proof,
  signature: Signature,
  given: Copies,
  found: LogJudgement | undefined,
): ProofVerdict {
  const inLog = inLogOf(found);
  const judged = judge(proof, signature, given.trusted, witnessedAt(inLog));
  if (judged.untimely !== undefined) return refuse('key', judged.untimely);
  const facts: ProofFacts = {
    base_url: proof.base_url,
    article_id: proof.article_id,
    revision_id: proof.revision_id,
    author_id: judged.checked.includes('author') ? proof.author_id : null,
    claimed_author_id: proof.author_id,
    created_at: proof.created_at,
    content_hash: proof.content_hash,
    signed_at: signature.signed_at,
    key: judged.key,
    text_matches: given.text !== undefined,
    previous_matches: given.previous !== undefined,
    ...inLog,
    not_checked: notChecked(judged, given, inLog),
  };
  const { trusted } = judged;
  const shortfall = shortfallOf(judged, found);
  if (trusted !== undefined && shortfall === undefined)
    return { result: 'valid', valid: true, consistent: true, trusted, ...facts };
  const { reason, detail } = shortfall ?? { reason: 'no-trust', detail: '' };
  return { result: 'consistent', valid: false, consistent: true, reason, detail, ...facts };
}

async function inconsistency(proof: Proof, given: Copies): Promise<ProofVerdict | undefined> {
  if (proof.signing_input !== signingInput(proof))
    return refuse('signing-input', 'The signing input does not match the revision of the proof.');
  const chain = await chainFault(proof, given.previous);
  if (chain !== undefined) return refuse('chain', chain);
  const mismatch = await textFault(proof, given.text);
  return mismatch === undefined ? undefined : refuse('content-hash', mismatch);
}

/**
 * Verifies a proof, as GET /v1/articles/{id}/revisions/{revision_id}/proof returns it, offline.
 *
 * A proof alone shows only that it was signed: anyone can make one with a key of their own. It is `valid`
 * only against `trusted`: the service and the public keys (or the history of keys) that you have from a
 * source you trust. Without it the result is `consistent` at best. `not_checked` lists what the verdict does
 * not confirm.
 *
 * With `text`, its hash must be the signed one; with `previous`, the proof of the previous revision, the two
 * must be adjacent. All input is copied before the first check. The result is a verdict for any input.
 *
 * @throws TypeError for an unknown option, so that a misspelt `text` does not go unnoticed
 *
 * @example
 * const trusted = await readKeyHistory(client, { id: authorId }); // once, from the service itself
 * const verdict = await verifyProof(proof, { text: article, trusted });
 * if (verdict.valid) console.log(verdict.author_id, verdict.key.status, verdict.not_checked);
 */
export async function verifyProof(
  proof: unknown,
  options: VerifyOptions = {},
): Promise<ProofVerdict> {
  const given = copies(proof, options);
  if ('result' in given) return given;
  const read = readProof(given.proof);
  if ('fault' in read) return refuse('malformed', read.fault);
  const fault = await inconsistency(read.proof, given);
  if (fault !== undefined) return fault;
  const { signature } = read.proof;
  if (signature !== null && !(await verifies(signature, read.proof.signing_input)))
    return refuse('signature', 'The signature is not a signature of this revision by this key.');
  const found = await inTrustedLog(read.proof, given);
  if (found !== undefined && 'refused' in found) return refuse(found.refused, found.detail);
  if (signature === null) return refuse('unsigned', 'This revision is not signed.', inLogOf(found));
  return verdictOf(read.proof, signature, given, found);
}
