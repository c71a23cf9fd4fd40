// What a participant did in the past year, and what others made of it, for the page of the participant.
import { isFindable } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import { firstIdAt, keyOf } from '#lib/id';
import { articleUrl } from '#lib/slug';
import {
  countCommentWeeks,
  findShownEnds,
  listCitations,
  listOwnIdsSince,
  receptionMax,
} from '../queries/index.ts';
import type { CitationRow, ShownEndRow } from '../queries/index.ts';
import { asSource } from '../rules/edges.ts';
import { linkedArticleView } from '../views/edges.ts';

interface Reading {
  readonly db: Db;
  readonly config: Pick<Config, 'baseUrl'>;
}

interface Participant {
  readonly id: string;
  readonly owner_principal_id?: string;
}

/** Citations that are looked up to be listed: some may be hidden at this moment. */
const lookedUp = 20;
const listedMax = 6;

/** Counts by week, of rows that are of one week each. */
function weeksOf(rows: readonly CitationRow[]) {
  return [...Map.groupBy(rows, ({ week }) => week)].map(([week, ones]) => ({
    week,
    count: ones.length,
  }));
}

/** Returns the newest citations whose both ends everybody can find now. */
async function newestOf({ db, config }: Reading, rows: readonly CitationRow[]) {
  const first = rows.slice(0, lookedUp);
  const ids = first.flatMap((row) => [row.src_article_id, row.dst_article_id]);
  const ends = await findShownEnds(db, [...new Set(ids)]);
  const view = (row: ShownEndRow) =>
    linkedArticleView(row, (one) => articleUrl(config.baseUrl, one));
  const found = first.flatMap(({ id, kind, created_at, src_article_id, dst_article_id }) => {
    const [source, target] = [ends.get(src_article_id), ends.get(dst_article_id)];
    if (source === undefined || target === undefined) return [];
    if (!isFindable(asSource(source), null) || !isFindable(target, null)) return [];
    return [{ id, kind, created_at, source: view(source), target: view(target) }];
  });
  return found.slice(0, listedMax);
}

/**
 * Returns the visible comments of a participant by week since a time, and the citations by other persons: by
 * week, the newest ones, and how many there are, at most `receptionMax`.
 */
export async function receptionOf(
  reading: Reading,
  { id, owner_principal_id }: Participant,
  since: Date,
) {
  const { db } = reading;
  const key = keyOf(id);
  const [rows, comments] = await Promise.all([
    listCitations(db, key, owner_principal_id ?? id),
    listOwnIdsSince(db, key, firstIdAt(since.getTime())).then((ids) => countCommentWeeks(db, ids)),
  ]);
  return {
    comments,
    citations: weeksOf(rows.slice(0, receptionMax)),
    cited: Math.min(rows.length, receptionMax),
    isMore: rows.length > receptionMax,
    newest: await newestOf(reading, rows),
  };
}
