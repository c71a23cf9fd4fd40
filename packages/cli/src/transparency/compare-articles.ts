// Compares the publications of a log with what the service shows: every article, revision, text and proof.
import { verifyProof } from '@colophon/sdk';
import type { Client, ItemOf, ProvenText } from '@colophon/sdk';
import { isObject } from '../json.ts';
import { forEachAtOnce, shownOr } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import type { Doubt } from './findings.ts';
import type { LoggedArticle } from './article-table.ts';
import { revisionOf } from './leaves.ts';

type Revision = ItemOf<'listRevisions'>;

interface Compared {
  readonly comparison: Comparison;
  readonly article: string;
  readonly revisions: ReadonlyMap<string, readonly number[]>;
  readonly found: Doubt[];
}

const lastOf = (leaves: readonly number[]) => leaves.at(-1) ?? null;

/** The revisions of an article with their leaves: a revision has more than one if it was signed later or published again. */
async function loggedRevisions(
  { entryAt }: Comparison,
  logged: LoggedArticle | undefined,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const revisions = new Map<string, number[]>();
  for (const leaf of logged?.publications ?? []) {
    const revision = revisionOf(await entryAt(leaf));
    revisions.set(revision, [...(revisions.get(revision) ?? []), leaf]);
  }
  return revisions;
}

/** Compares a proof with the entry of the mirror at the leaf that it names. Returns what differs. */
async function leafFault(
  { comparison: { entryAt } }: Compared,
  log: { readonly index: number; readonly entry: string },
  leaves: readonly number[],
): Promise<string | undefined> {
  const entry = await entryAt(log.index);
  if (entry === undefined || Buffer.from(entry).toString('base64') !== log.entry)
    return `The proof of the service shows another entry for leaf ${log.index}.`;
  return leaves.includes(log.index)
    ? undefined
    : `The proof of the service names leaf ${log.index}, which is about something else.`;
}

function readPlace(value: unknown): { readonly index: number; readonly entry: string } | undefined {
  if (!isObject(value)) return undefined;
  const { index, entry } = value;
  if (typeof index !== 'number' || typeof entry !== 'string') return undefined;
  return { index, entry };
}

/** A proof without a place in the log. */
function missingProof(id: string, last: number | null): Doubt {
  return last === null
    ? {
        kind: 'missing',
        leaf: null,
        id,
        detail: `Revision ${id} is published, and no leaf says so.`,
      }
    : {
        kind: 'different',
        leaf: last,
        id,
        detail: `The service shows no proof of revision ${id}, which is leaf ${last}.`,
      };
}

type Shown = readonly [Awaited<ReturnType<Client['readProof']>>, ProvenText];

/** Verifies a proof, with its text, against the log. Returns what is wrong. */
async function proofFault(
  { baseUrl, trusted: { verifierKey } }: Comparison,
  [proof, text]: Shown,
  index: number,
): Promise<string | undefined> {
  const trusted = { baseUrl, keys: [], log: { verifierKey } };
  const verdict = await verifyProof(proof, { text, trusted });
  if (verdict.result === 'refused' && verdict.reason !== 'unsigned')
    return `Revision ${proof.revision_id} is not the one of leaf ${index}: ${verdict.detail}`;
  return verdict.log === 'included' ? undefined : `The proof of leaf ${index} does not verify.`;
}

async function compareProof(compared: Compared, shown: Shown): Promise<void> {
  const { comparison, found } = compared;
  const [proof] = shown;
  const id = proof.revision_id;
  const leaves = compared.revisions.get(id) ?? [];
  const place = readPlace((proof as { readonly log?: unknown }).log);
  if (place === undefined) found.push(missingProof(id, lastOf(leaves)));
  else if (place.index >= comparison.size) {
    const detail = `The proof of revision ${id} names leaf ${place.index}, which the log does not have.`;
    found.push({ kind: 'missing', leaf: place.index, id, detail });
  } else {
    const detail =
      (await leafFault(compared, place, leaves)) ??
      (await proofFault(comparison, shown, place.index));
    if (detail === undefined) return;
    found.push({ kind: 'different', leaf: place.index, id, detail, isCertain: true });
  }
}

async function compareRevision(compared: Compared, { revision_id }: Revision): Promise<void> {
  const { comparison, article, found, revisions } = compared;
  const { client } = comparison;
  const asked = { id: article, revision_id };
  const shown = await shownOr(
    Promise.all([client.readProof(asked), client.readRevision(asked) as Promise<ProvenText>]),
  );
  if ('value' in shown) return compareProof(compared, shown.value);
  found.push({
    kind: 'missing',
    leaf: lastOf(revisions.get(revision_id) ?? []),
    id: revision_id,
    detail: `The service lists revision ${revision_id} and does not show it: ${shown.absent}.`,
  });
}

/** What the log and the service say of an article that readers see. */
async function compareShown(compared: Compared, logged: LoggedArticle | undefined): Promise<void> {
  const { comparison, article, found } = compared;
  if (logged !== undefined && logged.state !== 'shown')
    found.push({
      kind: 'different',
      leaf: logged.stateLeaf,
      id: article,
      detail: `Leaf ${logged.stateLeaf} says that the article was ${logged.state}, and the service shows it.`,
    });
  const listed = new Set<string>();
  for await (const revision of comparison.client.each.listRevisions({ id: article, limit: 100 })) {
    listed.add(revision.revision_id);
    if (revision.published_at !== null) await compareRevision(compared, revision);
  }
  for (const [id, leaves] of compared.revisions) {
    if (listed.has(id)) continue;
    const leaf = lastOf(leaves);
    const detail = `Leaf ${leaf} is revision ${id}, which the service does not list.`;
    found.push({ kind: 'extra', leaf, id, detail });
  }
}

/** Returns why an article is not public; undefined if it is. */
function hiddenBy({
  status,
  visibility,
}: {
  readonly status: string;
  readonly visibility: string;
}) {
  if (status !== 'published') return status;
  return visibility === 'public' ? undefined : visibility;
}

function compareHidden({ article, found }: Compared, logged: LoggedArticle, absent: string): void {
  if (logged.state !== 'shown') return;
  const leaf = logged.publications.at(-1) ?? logged.stateLeaf;
  const detail = `The service does not show article ${article} (${absent}), and no leaf says why.`;
  found.push({ kind: 'extra', leaf, id: article, detail });
}

/** Compares one article. Returns what differs. */
async function compareArticle(comparison: Comparison, article: string): Promise<readonly Doubt[]> {
  const logged = comparison.history.articles.get(article);
  const revisions = await loggedRevisions(comparison, logged);
  const compared: Compared = { comparison, article, revisions, found: [] };
  const shown = await shownOr(comparison.client.readArticle({ id: article }));
  const absent = 'absent' in shown ? shown.absent : hiddenBy(shown.value);
  if (absent === undefined) {
    const ended = await shownOr(compareShown(compared, logged));
    if ('absent' in ended && logged !== undefined) compareHidden(compared, logged, ended.absent);
  } else if (logged !== undefined) compareHidden(compared, logged, absent);
  return compared.found;
}

/** All articles that the service lists, and all others of which the log says that readers see them. */
async function* articlesOf({ client, history }: Comparison): AsyncGenerator<string> {
  const listed = new Set<string>();
  for await (const { id } of client.each.listArticles({ limit: 100 })) {
    if (listed.has(id)) continue;
    listed.add(id);
    yield id;
  }
  for (const id of history.articles.idsOf('shown')) if (!listed.has(id)) yield id;
}

/** What differs, by the article. */
export type ArticleDoubts = ReadonlyMap<string, readonly Doubt[]>;

/** Compares some articles, or all. */
export async function compareArticles(
  comparison: Comparison,
  some?: Iterable<string>,
): Promise<ArticleDoubts> {
  const doubts = new Map<string, readonly Doubt[]>();
  let compared = 0;
  await forEachAtOnce(some ?? articlesOf(comparison), comparison.signal, async (article) => {
    const found = await compareArticle(comparison, article);
    if (found.length > 0) doubts.set(article, found);
    comparison.onProgress((compared += 1));
  });
  return doubts;
}
