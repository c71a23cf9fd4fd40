// Reads the proofs of an export, each with the text that it is about.
import type { KeyRecord, ProvenText } from '@colophon/sdk';
import { parseJson } from '../json.ts';
import { readArticleFile, readHead } from './records.ts';
import { manifestOf } from './verify-archive.ts';
import { openZip } from './zip.ts';
import type { Zip } from './zip.ts';

const MiB = 1024 * 1024;
const articleMax = 256 * MiB;
const recordsMax = 256 * MiB;
const proofMax = MiB;

/** A published revision of an export. */
export interface ArchivedProof {
  readonly articleId: string;
  readonly revisionId: string;
  readonly text: ProvenText;
  /** Any value; undefined if the archive does not contain it. */
  readonly proof: unknown;
}

export interface ArchivedProofs extends AsyncDisposable {
  /** The address of the service. */
  readonly origin: string;
  /** The key of the log that the service named; undefined if it named none. */
  readonly logKey: string | undefined;
  /** Records of the signing keys, not validated. */
  readonly keys: readonly KeyRecord[];
  proofs(): AsyncGenerator<ArchivedProof>;
}

async function json(zip: Zip, name: string, most: number): Promise<unknown> {
  return parseJson((await zip.read(name, most)).toString(), name);
}

async function readKeys(zip: Zip): Promise<readonly KeyRecord[]> {
  const name = 'data/keys.jsonl';
  if (!zip.has(name)) return [];
  const lines = (await zip.read(name, recordsMax)).toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => parseJson(line, name) as KeyRecord);
}

async function* proofsOf(zip: Zip): AsyncGenerator<ArchivedProof> {
  for (const name of zip.names) {
    if (!/^data\/articles\/\w+\.json$/.test(name)) continue;
    const raw = await json(zip, name, articleMax);
    const { status } = readHead(raw);
    if (status === 'removed' || status === 'erased') continue;
    const { article, revisions } = readArticleFile(raw, name);
    for (const { revision_id: revisionId, published_at, title, content, metadata } of revisions) {
      if (published_at === null) continue;
      const file = `proofs/${article.id}/${revisionId}.json`;
      const proof = zip.has(file) ? await json(zip, file, proofMax) : undefined;
      yield { articleId: article.id, revisionId, text: { title, content, metadata }, proof };
    }
  }
}

/** Opens an export for its proofs. @throws a refusal for an archive that is damaged or of another format */
export async function openProofs(path: string): Promise<ArchivedProofs> {
  const zip = await openZip(path);
  try {
    const { origin, logKey } = await manifestOf(zip);
    return {
      origin,
      logKey,
      keys: await readKeys(zip),
      proofs: () => proofsOf(zip),
      [Symbol.asyncDispose]: () => zip[Symbol.asyncDispose](),
    };
  } catch (error) {
    await zip[Symbol.asyncDispose]();
    throw error;
  }
}
