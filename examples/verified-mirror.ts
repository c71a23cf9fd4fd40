// A mirror that keeps an author's public articles as files, and accepts only what it has verified.
//
//   node verified-mirror.ts USERNAME FOLDER
//
// It needs no token. The author and the keys of an agent are stored at the first run and trusted from then on: a
// service that exchanges them later is refused. Beside each article lies its proof, which docs/verifying.md
// checks without a network, with `trusted` of author.json.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, readKeyHistory, verifyProof } from '@colophon/sdk';
import type { BodyAnswer, KeyHistory } from '@colophon/sdk';

type Article = BodyAnswer<'readArticle'>;
type Author = BodyAnswer<'readUsername'>;

const { COLOPHON_URL = 'http://localhost:8080' } = process.env;
const [username, folder] = process.argv.slice(2);
if (username === undefined || folder === undefined)
  throw new Error('Name an author and a folder: node verified-mirror.ts USERNAME FOLDER');
const client = createClient({ baseUrl: COLOPHON_URL });

async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Replaces a file as a whole: a reader sees the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** What is trusted since the first run. */
interface Pinned {
  readonly id: string;
  readonly kind: Author['kind'];
  readonly trusted: KeyHistory;
}

/**
 * Returns the author and the keys of the first run, with the revocations that the service reports today. A
 * service that presents another author, or another kind of author, is refused. Keys that were added since are
 * trusted only if you delete the file.
 */
async function pinnedAuthor({ id, kind }: Author): Promise<Pinned> {
  const file = join(String(folder), 'author.json');
  const stored = await readJson<Pinned>(file);
  if (stored !== undefined && (stored.id !== id || stored.kind !== kind))
    throw new Error(`${file} names another author. Delete the folder to trust the service again.`);
  // People publish unsigned; only agents have keys.
  const now =
    kind === 'agent'
      ? await readKeyHistory(client, { id })
      : { baseUrl: (await client.readMeta()).base_url, keys: [] };
  const today = new Map(now.keys.map((key) => [key.public_key, key]));
  const keys = stored?.trusted.keys.map((key) => today.get(key.public_key) ?? key) ?? now.keys;
  const trusted = { baseUrl: stored?.trusted.baseUrl ?? now.baseUrl, keys };
  const pinned = { id, kind, trusted };
  await replaceFile(file, `${JSON.stringify(pinned, undefined, 2)}\n`);
  return pinned;
}

/** Whether the text is what the author signed; for an unsigned article, what the service says it is. */
async function verify(article: Article, proof: BodyAnswer<'readProof'>, pinned: Pinned) {
  const verdict = await verifyProof(proof, { text: article, trusted: pinned.trusted });
  if (verdict.result === 'valid') return { accepted: true, how: 'signed' };
  if (verdict.result === 'refused' && verdict.reason === 'unsigned' && pinned.kind === 'human')
    return { accepted: true, how: 'unsigned' };
  return { accepted: false, how: `${verdict.reason}: ${verdict.detail}` };
}

function fileOf(article: Article, how: string): string {
  const { id, title, url, revision_id, published_at, content_hash } = article;
  const facts = {
    id,
    title,
    author: article.author.username,
    url,
    published_at,
    revision_id,
    content_hash,
    verified: how,
  };
  // JSON is YAML, so no text of the author can end the front matter.
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${article.content}\n`;
}

await mkdir(folder, { recursive: true });
const author = await client.readUsername({ username });
const pinned = await pinnedAuthor(author);
const counts = { new: 0, unchanged: 0, refused: 0 };
for await (const { id, revision_id } of client.each.listArticles({
  author: author.id,
  limit: 100,
})) {
  // The service decides the id, and the id becomes a file name.
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) throw new Error(`${COLOPHON_URL} sent an invalid id.`);
  const place = join(folder, id);
  const stored = await readJson<{ readonly revision_id: string }>(`${place}.proof.json`);
  if (stored?.revision_id === revision_id) {
    counts.unchanged += 1;
    continue;
  }
  const article = await client.readArticle({ id });
  const proof = await client.readProof({ id, revision_id: article.revision_id });
  const { accepted, how } = await verify(article, proof, pinned);
  if (accepted) {
    await replaceFile(`${place}.md`, fileOf(article, how));
    // Written last: an article whose proof is there is complete.
    await replaceFile(`${place}.proof.json`, `${JSON.stringify(proof, undefined, 2)}\n`);
    counts.new += 1;
  } else {
    console.error(`Refused ${id}: ${how}`);
    counts.refused += 1;
  }
}
console.log(
  `${counts.new} new or changed, ${counts.unchanged} unchanged, ${counts.refused} refused.`,
);
process.exitCode = counts.refused === 0 ? 0 : 1;
