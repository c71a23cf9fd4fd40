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

const signedNames = ['shape', 'subject', 'text', 'signature', 'key', 'time', 'log'] as const;
type Name = (typeof signedNames)[number];
const unsignedNames: readonly Name[] = ['shape', 'subject', 'text', 'log'];

const said: Readonly<Record<Name, string>> = {
  shape: 'The proof is complete and does not contradict itself.',
  subject: 'The seven signed lines name this service, this article, this revision and its author.',
  text: 'The hash of the text is the one in the proof.',
  signature: 'The signature was made with this key over exactly these lines.',
  key: 'The key belongs to the author: this service lists it.',
  time: 'The key was valid when it signed.',
  log: 'The transparency log of this service contains this publication.',
};

const subjectOfUnsigned =
  'The proof names this service, this article, this revision and its author.';

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
function otherSubject(proof: Proof, subject: Subject): Failure | undefined {
  const { article, revision, author, service, isSigned } = subject;
  // Of a signed one, the library compares the service.
  const isAsShown = isSigned || (proof.base_url === service && proof.signature === null);
  const isSame =
    proof.article_id === article && proof.revision_id === revision && proof.author_id === author;
  return isSame && isAsShown ? undefined : { at: 'subject', detail: 'This is another proof.' };
}

function failureOf(verdict: ProofVerdict, { isSigned }: Subject): Failure | undefined {
  if (verdict.result === 'valid') return undefined;
  if (verdict.reason === 'unsigned' && !isSigned) return undefined;
  const steps: Readonly<Partial<Record<Reason, Name>>> = stepOf;
  return { at: steps[verdict.reason] ?? 'log', detail: verdict.detail };
}

/** Of what is not signed, the library only says that it knows no log that shows it. */
function otherLog({ log }: Proof, { logged }: ProofVerdict): Failure | undefined {
  return log && !logged ? { at: 'log', detail: 'The proof is of another log.' } : undefined;
}

/** Returns the failure that comes first in the order of the steps. */
function firstOf(failures: readonly (Failure | undefined)[]): Failure | undefined {
  return failures
    .filter((failure) => failure !== undefined)
    .toSorted((one, other) => signedNames.indexOf(one.at) - signedNames.indexOf(other.at))[0];
}

/** The day and the minute: `30 Nov 2026 14:05 UTC`. The script has no room for names of months. */
function momentIn(timestamp: string): string {
  return `${new Date(timestamp).toUTCString().slice(5, 22)} UTC`;
}

/** Where the log has the publication, and who saw that. */
function placeIn({ index, size, origin, at, witnesses }: LoggedFacts): string {
  const seen = witnesses.map((one) => ` ${one.name} saw it by ${momentIn(one.at)}.`).join('');
  return `Leaf ${index} of the ${size} in ${origin}, logged on ${momentIn(at)}.${seen || ' No witness has signed that.'}`;
}

/** What a step has seen. */
function seenIn(
  { signature, content_hash }: Proof,
  isByBrowser: boolean,
  { logged }: ProofVerdict,
): Readonly<Partial<Record<Name, string | undefined>>> {
  const checkers = isByBrowser
    ? 'Checked twice: by this page, and by the browser itself.'
    : 'Checked by this page: the browser has no Ed25519.';
  return {
    text: content_hash,
    signature: checkers,
    key: signature?.key.public_key,
    time: signature === null ? undefined : `Signed on ${momentIn(signature.signed_at)}.`,
    log: logged === null ? notLogged : placeIn(logged),
  };
}

interface Outcome {
  /** Without the log: the library compares it before the owner of the key. */
  readonly verdict: ProofVerdict;
  readonly inLog: ProofVerdict;
  readonly byBrowser: boolean | undefined;
  /** Undefined for what is not a proof. */
  readonly proof: Proof | undefined;
}

async function examine({ proof, revision: text, trusted }: Bundle): Promise<Outcome> {
  const { log: _, ...author } = trusted;
  const verdict = await verifyProof(proof, { text, trusted: author });
  const inLog = await verifyProof(proof, { text, trusted });
  if (!verdict.consistent && verdict.reason === 'malformed')
    return { verdict, inLog, byBrowser: undefined, proof: undefined };
  const shown = proof as Proof;
  return { verdict, inLog, byBrowser: await verifiesInBrowser(shown), proof: shown };
}

/** What is wrong with a proof that is one. */
function faultsOf(proof: Proof, { inLog, byBrowser }: Outcome, subject: Subject) {
  return [
    otherSubject(proof, subject),
    subject.isSigned ? undefined : otherLog(proof, inLog),
    byBrowser === false
      ? { at: 'signature' as const, detail: 'The browser refuses it.' }
      : undefined,
  ];
}

/** Returns the steps with their results. The steps after one that failed are not made. */
export async function stepsOf(bundle: Bundle, subject: Subject): Promise<readonly Step[]> {
  const outcome = await examine(bundle);
  const { verdict, inLog, byBrowser, proof } = outcome;
  const first = firstOf([
    failureOf(verdict, subject),
    failureOf(inLog, subject),
    ...(proof ? faultsOf(proof, outcome, subject) : []),
  ]);
  const seen = proof ? seenIn(proof, byBrowser !== undefined, inLog) : {};
  const names = subject.isSigned ? signedNames : unsignedNames;
  const words = subject.isSigned ? said : { ...said, subject: subjectOfUnsigned };
  const end = first === undefined ? names.length : names.indexOf(first.at);
  // The times that the proof itself states are compared before the owner of the key.
  const isSkipped = (name: Name) => name === 'key' && verdict.result === 'refused';
  const isOpen = (name: Name) => name === 'log' && inLog.logged === null;
  return names.map((name, index): Step => {
    if (index === end) return { state: 'failed', said: words[name], detail: first?.detail };
    if (index > end || isSkipped(name)) return { state: 'open', said: words[name] };
    return { state: isOpen(name) ? 'open' : 'passed', said: words[name], detail: seen[name] };
  });
}
