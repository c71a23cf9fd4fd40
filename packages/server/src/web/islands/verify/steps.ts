// The steps of a verification, in the order in which they are made.
import { verifyProof } from '@colophon/sdk';
import type { LoggedFacts, LogReason, Proof, ProofVerdict } from '@colophon/sdk';
import type { Bundle, Subject } from './bundle.ts';
import { verifiesInBrowser } from './web-crypto.ts';

export interface Step {
  readonly state: 'passed' | 'failed' | 'open';
  readonly said: string;
  /** What is wrong, or what the step has seen. */
  readonly detail?: string | undefined;
}

const names = ['shape', 'subject', 'text', 'signature', 'key', 'time', 'log'] as const;
type Name = (typeof names)[number];

const said: Readonly<Record<Name, string>> = {
  shape: 'The proof is complete and does not contradict itself.',
  subject: 'The seven signed lines name this service, this article, this revision and its author.',
  text: 'The hash of the text is the one that was signed.',
  signature: 'The signature was made with this key over exactly these lines.',
  key: 'The key belongs to the author: this service lists it.',
  time: 'The key was valid when it signed.',
  log: 'The transparency log of this service contains this publication.',
};

const notLogged = 'Not yet: it takes a few seconds. Only public articles are in the log.';

type Reason = Exclude<ProofVerdict, { readonly result: 'valid' }>['reason'];

type ReasonOfLog = LogReason | 'other-log' | 'too-few-witnesses';

/** The step that each reason is about; the others are about the log. */
const stepOf: Readonly<Record<Exclude<Reason, ReasonOfLog>, Name>> = {
  malformed: 'shape',
  'signing-input': 'subject',
  chain: 'subject',
  'content-hash': 'text',
  unsigned: 'signature',
  signature: 'signature',
  'no-trust': 'key',
  'bad-trust': 'key',
  'other-service': 'subject',
  'unknown-key': 'key',
  'other-author': 'key',
  key: 'time',
  'compromised-key': 'time',
};

interface Failure {
  readonly at: Name;
  readonly detail: string;
}

/** A proof can be right and about something else: it must be about what the page shows. */
function otherSubject(proof: Proof, { article, revision, author }: Subject): Failure | undefined {
  const isSame =
    proof.article_id === article && proof.revision_id === revision && proof.author_id === author;
  return isSame
    ? undefined
    : { at: 'subject', detail: 'The proof is about another article, revision or author.' };
}

function failureOf(verdict: ProofVerdict): Failure | undefined {
  if (verdict.result === 'valid') return undefined;
  const steps: Readonly<Partial<Record<Reason, Name>>> = stepOf;
  return { at: steps[verdict.reason] ?? 'log', detail: verdict.detail };
}

/** Returns the failure that comes first in the order of the steps. */
function firstOf(failures: readonly (Failure | undefined)[]): Failure | undefined {
  return failures
    .filter((failure) => failure !== undefined)
    .toSorted((one, other) => names.indexOf(one.at) - names.indexOf(other.at))[0];
}

/** Where the log has the publication, and who saw that. */
function placeIn({ index, size, origin, at, witnesses }: LoggedFacts): string {
  const seen = witnesses.map((one) => ` ${one.name} saw it by ${one.at}.`).join('');
  return `Leaf ${index} of the ${size} in ${origin}, logged at ${at}.${seen || ' No witness has signed that.'}`;
}

/** What a step has seen. */
function seenIn(
  { signature, content_hash }: Proof,
  isByBrowser: boolean,
  { logged }: ProofVerdict,
): Readonly<Partial<Record<Name, string | undefined>>> {
  const checkers = isByBrowser
    ? 'Checked twice: by the library of this service, and by the cryptography of this browser.'
    : 'Checked by the library of this service. This browser has no Ed25519 of its own.';
  return {
    text: content_hash,
    signature: checkers,
    key: signature?.key.public_key,
    time: `Signed at ${signature?.signed_at}.`,
    log: logged === null ? notLogged : placeIn(logged),
  };
}

/** Returns the steps with their results. The steps after one that failed are not made. */
export async function stepsOf(bundle: Bundle, subject: Subject): Promise<readonly Step[]> {
  const { proof, revision: text, trusted } = bundle;
  const { log: _, ...author } = trusted;
  // Twice, because the library compares the log before the owner of the key.
  const verdict = await verifyProof(proof, { text, trusted: author });
  const inLog = await verifyProof(proof, { text, trusted });
  const failure = failureOf(verdict);
  // Nothing that is no proof gets past the first step.
  const isProof = failure?.at !== 'shape';
  const shown = proof as Proof;
  const byBrowser = isProof ? await verifiesInBrowser(shown) : undefined;
  const first = firstOf([
    failure,
    failureOf(inLog),
    isProof ? otherSubject(shown, subject) : undefined,
    byBrowser === false
      ? { at: 'signature', detail: 'The cryptography of this browser refuses the signature.' }
      : undefined,
  ]);
  const seen = isProof ? seenIn(shown, byBrowser !== undefined, inLog) : {};
  const end = first === undefined ? names.length : names.indexOf(first.at);
  // The times that the proof itself states are compared before the owner of the key.
  const isSkipped = (name: Name) => name === 'key' && verdict.result === 'refused';
  const isOpen = (name: Name) => name === 'log' && inLog.logged === null;
  return names.map((name, index): Step => {
    if (index === end) return { state: 'failed', said: said[name], detail: first?.detail };
    if (index > end || isSkipped(name)) return { state: 'open', said: said[name] };
    return { state: isOpen(name) ? 'open' : 'passed', said: said[name], detail: seen[name] };
  });
}
