// The steps of a verification, in the order in which they are made.
import { verifyProof } from '@colophon/sdk';
import type { Proof, ProofVerdict } from '@colophon/sdk';
import type { Bundle, Subject } from './bundle.ts';
import { verifiesInBrowser } from './web-crypto.ts';

export interface Step {
  readonly state: 'passed' | 'failed' | 'open';
  readonly said: string;
  /** What is wrong, or what the step has seen. */
  readonly detail?: string;
}

const names = ['shape', 'subject', 'text', 'signature', 'key', 'time'] as const;
type Name = (typeof names)[number];

const said: Readonly<Record<Name, string>> = {
  shape: 'The proof is complete and does not contradict itself.',
  subject: 'The seven signed lines name this service, this article, this revision and its author.',
  text: 'The hash of the text is the one that was signed.',
  signature: 'The signature was made with this key over exactly these lines.',
  key: 'The key belongs to the author: this service lists it.',
  time: 'The key was valid when it signed.',
};

type Reason = Exclude<ProofVerdict, { readonly result: 'valid' }>['reason'];

/** The step that each reason is about. */
const stepOf: Readonly<Record<Reason, Name>> = {
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
  // Not asked for here: the page trusts no log.
  log: 'shape',
  'log-checkpoint': 'shape',
  'log-entry': 'shape',
  'log-inclusion': 'shape',
  'other-log': 'key',
  'too-few-witnesses': 'key',
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
  return { at: stepOf[verdict.reason], detail: verdict.detail };
}

/** Returns the failure that comes first in the order of the steps. */
function firstOf(failures: readonly (Failure | undefined)[]): Failure | undefined {
  return failures
    .filter((failure) => failure !== undefined)
    .toSorted((one, other) => names.indexOf(one.at) - names.indexOf(other.at))[0];
}

/** What a step that passed has seen. */
function seenIn(proof: Proof, isByBrowser: boolean): Readonly<Partial<Record<Name, string>>> {
  const { signature, content_hash } = proof;
  const checkers = isByBrowser
    ? 'Checked twice: by the library of this service, and by the cryptography of this browser.'
    : 'Checked by the library of this service. This browser has no Ed25519 of its own.';
  return {
    text: content_hash,
    signature: checkers,
    ...(signature === null
      ? {}
      : { key: signature.key.public_key, time: `Signed at ${signature.signed_at}.` }),
  };
}

/** Returns the steps with their results. The steps after one that failed are not made. */
export async function stepsOf(bundle: Bundle, subject: Subject): Promise<readonly Step[]> {
  const { proof, revision, trusted } = bundle;
  const verdict = await verifyProof(proof, { text: revision, trusted });
  const failure = failureOf(verdict);
  // Nothing that is no proof gets past the first step.
  const isProof = failure?.at !== 'shape';
  const shown = proof as Proof;
  const byBrowser = isProof ? await verifiesInBrowser(shown) : undefined;
  const first = firstOf([
    failure,
    isProof ? otherSubject(shown, subject) : undefined,
    byBrowser === false
      ? { at: 'signature', detail: 'The cryptography of this browser refuses the signature.' }
      : undefined,
  ]);
  const seen = isProof ? seenIn(shown, byBrowser !== undefined) : {};
  const end = first === undefined ? names.length : names.indexOf(first.at);
  // The times that the proof itself states are compared before the owner of the key.
  const isSkipped = (name: Name) => name === 'key' && verdict.result === 'refused';
  return names.map((name, index): Step => {
    if (index === end) return { state: 'failed', said: said[name], detail: first?.detail ?? '' };
    if (index > end || isSkipped(name)) return { state: 'open', said: said[name] };
    const detail = seen[name];
    return { state: 'passed', said: said[name], ...(detail === undefined ? {} : { detail }) };
  });
}
