// The files of articles in an archive: JSON of every revision, Markdown of the newest, and the proofs.
import {
  exportedArticles,
  exportedMarkdown,
  exportedProofs,
  exportedRevisions,
  nextWorks,
  pagedProofs,
  pagedRevisions,
} from '#articles';
import type { ExportedArticle, ExportedRevision, Works } from '#articles';
import { nextTurn } from '#lib/pieces';
import { proveLogged } from '#log';
import { articleFile, articleLine } from '../rules/index-page.ts';
import { pack } from './archive-writer.ts';
import type { Packed } from './archive-writer.ts';
import type { Step, Stepped } from './step.ts';

/** Articles whose files are compressed at the same time. */
const packedAtOnce = 16;

/** Proofs whose part of the log is read together. */
const provenAtOnce = 100;

type SignedProof = Awaited<ReturnType<typeof exportedProofs>>[number];
type Proof = Awaited<ReturnType<typeof addLog>>[number];

const dataFile = (id: string) => `data/articles/${id}.json`;
const packProof = (proof: Proof) =>
  pack(`proofs/${proof.article_id}/${proof.revision_id}.json`, `${JSON.stringify(proof)}\n`);

function lineOf(article: ExportedArticle, newest: ExportedRevision | undefined): string {
  const { shown, status, id } = article;
  if (shown === undefined || newest === undefined)
    return articleLine({ title: id, file: undefined, status, date: '' });
  const { title } = newest;
  const date = shown.published_at ?? shown.created_at;
  return articleLine({ title, file: articleFile(title, id), status, date });
}

async function packMarkdown(
  { shown }: ExportedArticle,
  newest: ExportedRevision | undefined,
): Promise<readonly Packed[]> {
  if (shown === undefined || newest === undefined) return [];
  return [await pack(articleFile(newest.title, shown.id), await exportedMarkdown(shown, newest))];
}

/** Adds the part of the transparency log to proofs, as it is now; null for what is not in it. */
async function addLog({ db }: Step['reading'], proofs: readonly SignedProof[]) {
  const logs = await proveLogged(
    db,
    proofs.map((proof) => ({
      revisionId: proof.revision_id,
      signature: proof.signature?.signature ?? null,
    })),
  );
  return proofs.map((proof, at) => ({ ...proof, log: logs[at] ?? null }));
}

/** Does the same for any number of proofs, and returns them by article. */
async function addLogs(
  reading: Step['reading'],
  proofs: readonly SignedProof[],
): Promise<ReadonlyMap<string, readonly Proof[]>> {
  const proven: Proof[] = [];
  for (let from = 0; from < proofs.length; from += provenAtOnce)
    proven.push(...(await addLog(reading, proofs.slice(from, from + provenAtOnce))));
  return Map.groupBy(proven, (proof) => proof.article_id);
}

/** Adds works whose texts are in memory together, and returns the number of revisions. */
async function addTogether({ writer, reading }: Step, works: Works['works']): Promise<number> {
  // Before the revisions, so that each revision that an article names is among them.
  const articles = await exportedArticles(reading, works);
  const [revisions, proofs] = await Promise.all([
    exportedRevisions(reading, works),
    exportedProofs(reading, works),
  ]);
  const revisionsOf = Map.groupBy(revisions, (revision) => revision.article_id);
  const proofsOf = Map.groupBy(proofs, (proof) => proof.article_id);
  let count = 0;
  async function filesOf(article: ExportedArticle, proven: readonly Proof[]) {
    await nextTurn();
    // Without a record it was removed between the statements.
    const isShown = article.shown !== undefined;
    const own = isShown ? (revisionsOf.get(article.id) ?? []) : [];
    count += own.length;
    const json = `${JSON.stringify({ article: article.record, revisions: own })}\n`;
    const files = await Promise.all([pack(dataFile(article.id), json), ...proven.map(packProof)]);
    const newest = own.at(-1);
    return {
      files: [...files, ...(await packMarkdown(article, newest))],
      line: lineOf(article, newest),
    };
  }
  for (let from = 0; from < articles.length; from += packedAtOnce) {
    const some = articles.slice(from, from + packedAtOnce);
    const shown = some.filter((article) => article.shown !== undefined);
    const proven = await addLogs(
      reading,
      shown.flatMap(({ id }) => proofsOf.get(id) ?? []),
    );
    const packed = await Promise.all(
      some.map((article) => filesOf(article, proven.get(article.id) ?? [])),
    );
    for (const { files, line } of packed) {
      for (const file of files) await writer.add(file);
      await writer.list(line);
    }
  }
  return count;
}

/** Adds an article whose revisions do not fit in memory together. */
async function addLong({ writer, reading }: Step, article: ExportedArticle): Promise<number> {
  let newest: ExportedRevision | undefined;
  let count = 0;
  async function* json(): AsyncGenerator<string> {
    yield `{"article":${JSON.stringify(article.record)},"revisions":[`;
    for await (const revision of pagedRevisions(reading, article.id)) {
      yield `${count === 0 ? '' : ','}${JSON.stringify(revision)}`;
      newest = revision;
      count += 1;
    }
    yield ']}\n';
  }
  await writer.stream(dataFile(article.id), json());
  for (const file of await packMarkdown(article, newest)) await writer.add(file);
  for await (const proofs of pagedProofs(reading, article.id))
    for (const proof of await addLog(reading, proofs)) await writer.add(await packProof(proof));
  await writer.list(lineOf(article, newest));
  return count;
}

/** Adds a work that does not fit in memory, unless it was removed. */
async function addOneByOne(step: Step, works: Works['works']): Promise<number> {
  const [article] = await exportedArticles(step.reading, works);
  if (article?.shown !== undefined) return addLong(step, article);
  return addTogether(
    step,
    works.map((work) => ({ ...work, status: 'removed' })),
  );
}

/** Adds the next articles, newest first. */
export async function addArticles(step: Step): Promise<Stepped> {
  const { row, reading } = step;
  const before = row.position === '' ? undefined : row.position;
  const { works, fits, isLast } = await nextWorks(reading.db, reading.caller, before);
  const revisions = fits ? await addTogether(step, works) : await addOneByOne(step, works);
  const removed = works.filter((work) => work.removed_at !== null).length;
  return {
    next: isLast ? undefined : works.at(-1)?.id,
    counts: { articles: works.length, revisions },
    tombstones: removed,
  };
}
