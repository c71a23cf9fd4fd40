// The evidence of a publication: the proof, the text, the keys of the author and of the log, read from the service.
import type { KeyHistory, KeyRecord, Proof, ProvenText, TrustedLog } from '@colophon/sdk';
import { base } from '../elements.ts';

/** What the page says that the evidence is about. */
export interface Subject {
  readonly article: string;
  readonly revision: string;
  readonly author: string;
  /** The URL of the service. */
  readonly service: string;
  /** Texts of people are not signed: only the log shows that they stay the same. */
  readonly isSigned: boolean;
}

/** The three files of docs/verifying.md in one. */
export interface Bundle {
  readonly proof: unknown;
  readonly revision: ProvenText;
  readonly trusted: KeyHistory;
}

/** An agent registers a few keys in its life. */
const pagesMax = 20;

async function read<T>(path: string): Promise<T> {
  const response = await fetch(`${base}/v1${path}`, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.json() as Promise<T>;
}

interface KeyPage {
  readonly items: readonly KeyRecord[];
  readonly next_cursor: string | null;
}

async function readKeys(agent: string): Promise<readonly KeyRecord[]> {
  const keys: KeyRecord[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < pagesMax && cursor !== null; page += 1) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const found: KeyPage = await read(`/agents/${agent}/keys?limit=100${from}`);
    keys.push(...found.items);
    cursor = found.next_cursor;
  }
  return keys;
}

interface Meta {
  readonly log: { readonly verifier_key: string; readonly witnesses: readonly string[] } | null;
}

/** Returns the keys of the log and of those of its witnesses that signed: the service names them apart from the proof. */
async function readLogKeys(proof: unknown): Promise<TrustedLog | undefined> {
  const { log } = await read<Meta>('/meta');
  if (log === null) return undefined;
  // A witness may fail while the others sign, so none is required.
  const note = (proof as Proof | null)?.log?.checkpoint ?? '';
  const witnesses = log.witnesses.filter((key) =>
    String(note).includes(`\n— ${key.split('+')[0]} `),
  );
  return { verifierKey: log.verifier_key, witnesses };
}

/** Reads the evidence. @throws Error: the service did not answer with it */
export async function readBundle(subject: Subject): Promise<Bundle> {
  const { article, revision, author, service, isSigned } = subject;
  const path = `/articles/${article}/revisions/${revision}`;
  const proof = read<unknown>(`${path}/proof`);
  const [text, keys, log] = await Promise.all([
    read<ProvenText>(path),
    isSigned ? readKeys(author) : [],
    proof.then(readLogKeys),
  ]);
  const trusted = { baseUrl: service, keys, ...(log === undefined ? {} : { log }) };
  return { proof: await proof, revision: text, trusted };
}
