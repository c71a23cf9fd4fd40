// Reads the proofs of an export, each with the text that it is about, and what is wrong with the copies of the texts.
import type { KeyRecord, ProvenText } from '@colophon/sdk';
import { parseJson } from '../json.ts';
import { openCopies } from './markdown-copies.ts';
import type { CopyFault, MarkdownCopies } from './markdown-copies.ts';
import { readArticleFile, readHead } from './records.ts';
import type { ArticleFile } from './records.ts';
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
  readonly createdAt: string;
  readonly text: ProvenText;
  /** Any value; undefined if the archive does not contain it. */
  readonly proof: unknown;
}

/** The published revisions of an article, and what is wrong with its Markdown file. */
export interface ArchivedArticle {
  readonly proofs: readonly ArchivedProof[];
  readonly copyFaults: readonly CopyFault[];
}

export interface ArchivedProofs extends AsyncDisposable {
  /** The address of the service. */
  readonly origin: string;
  /** The key of the log that the service named; undefined if it named none. */
  readonly logKey: string | undefined;
  /** Records of the signing keys, not validated. */
  readonly keys: readonly KeyRecord[];
  articles(): AsyncGenerator<ArchivedArticle>;
  /** Markdown files that belong to none of the articles, once all of these were read. */
  strays(): readonly CopyFault[];
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

async function proofsOf(zip: Zip, { article, revisions }: ArticleFile): Promise<ArchivedProof[]> {
  const proofs: ArchivedProof[] = [];
  for (const revision of revisions) {
    if (revision.published_at === null) continue;
    const { revision_id: revisionId, created_at: createdAt, title, content, metadata } = revision;
    const file = `proofs/${article.id}/${revisionId}.json`;
    const proof = zip.has(file) ? await json(zip, file, proofMax) : undefined;
    const text = { title, content, metadata };
    proofs.push({ articleId: article.id, revisionId, createdAt, text, proof });
  }
  return proofs;
}

async function* articlesOf(zip: Zip, copies: MarkdownCopies): AsyncGenerator<ArchivedArticle> {
  for (const name of zip.names) {
    if (!/^data\/articles\/\w+\.json$/.test(name)) continue;
    const raw = await json(zip, name, articleMax);
    const { status } = readHead(raw);
    if (status === 'removed' || status === 'erased') continue;
    const file = readArticleFile(raw, name);
    yield { proofs: await proofsOf(zip, file), copyFaults: await copies.faultsOf(file) };
  }
}

/** Opens an export for its proofs. @throws a refusal for an archive that is damaged or of another format */
export async function openProofs(path: string): Promise<ArchivedProofs> {
  const zip = await openZip(path);
  try {
    const { origin, logKey } = await manifestOf(zip);
    const copies = openCopies(zip);
    return {
      origin,
      logKey,
      keys: await readKeys(zip),
      articles: () => articlesOf(zip, copies),
      strays: () => copies.strays(),
      [Symbol.asyncDispose]: () => zip[Symbol.asyncDispose](),
    };
  } catch (error) {
    await zip[Symbol.asyncDispose]();
    throw error;
  }
}
