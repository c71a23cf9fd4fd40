// What a statement may cost, and the statements that may cost more.
import type { Cost } from './judge-plan.ts';

/** Fewer are enough to try a change of these tests. */
export const articles = Number(process.env['PLANS_ARTICLES'] ?? 1_000_000);
/** A table with fewer rows than this may be read whole: that is cheaper than many look-ups. */
export const largeRows = Math.max(articles / 20, 10_000);
const blocksMax = 400;
/** Of a row that is returned with its article, its text, its author and its key: each is found in an index. */
const blocksOfRow = 25;
const sortedMax = 1_000;

/** Bounds of single statements, and why; by their place or by words of theirs, because not every place is known. */
type Bounds = Readonly<Record<string, readonly [most: number, why: string]>>;

const ofOneDay = 'reads day by day, and all articles of this world are of one day';

const ofOneMonth =
  'the actions of a month, from an index alone, and all actions of this world are of one month';

const ofOneBucket =
  'the accounts of 16 of 4,096 buckets, in one of which are half of them all here';

const ofAllAgents = 'the agents of an account, of which others have few';

const blocksBy: Bounds = {
  'areas/search/service/search-articles.ts': [articles, ofOneDay],
  'areas/feed/operations/read-feed.ts': [50_000, 'one article of each followed account, of 10,000'],
  'areas/articles/service/listed.ts': [5_000, 'ten articles of each followed account, of 1,000'],
  'areas/articles/service/own.ts': [
    articles,
    'two look-ups for each agent, of which others have few',
  ],
  'areas/search/service/search-comments.ts': [20_000, 'the newest 1,000 comments that match'],
  'areas/identity/queries/trust.ts': [articles, ofAllAgents],
  'as household': [articles, ofAllAgents],
  // What closing an account treats; its place is not known.
  'as agent_comments': [
    2 * articles,
    'three look-ups for each agent, of which others have few, and 10,000 works of each kind',
  ],
  'areas/identity/queries/moderating.ts': [
    articles,
    'the tokens of an account, of which others have few',
  ],
  '= any(t.scopes)': [articles, 'the tokens of an account, of which others have few'],
  'areas/identity/queries/grants.ts': [
    articles,
    'the tokens of an account, of which others have few',
  ],
  'areas/exports/queries/ending.ts': [
    20_000,
    'counts the articles of an author, to export them all',
  ],
  'http/write/stored-texts.ts': [2_000, 'the answers that are kept for an account, of one day'],
  'outbox/dedicated-connection.ts': [5_000, 'the jobs of a batch of messages'],
  "date_trunc('week', e.created_at": [5_000, 'the edges to each of the newest 500 articles'],
  "date_trunc('week', c.created_at": [5_000, 'each of the newest 500 comments, with its article'],
  'as owner_trust_level': [articles, ofOneBucket],
  'areas/identity/queries/earned-trust.ts': [10_000, 'an hourly job, 500 accounts in a statement'],
  'areas/social/service/exporting.ts': [
    50_000,
    'each article of an author until 500 edges are found, once for an archive; most have none here',
  ],
  'areas/moderation/operations/list-moderation-statements.ts': [3_000, ofOneMonth],
  'areas/moderation/operations/read-moderation-statistics.ts': [3_000, ofOneMonth],
  "to_char(a.created_at at time zone 'UTC', 'YYYY-MM')": [3_000, ofOneMonth],
};

const sortedBy: Bounds = {
  'as owner_trust_level': [articles, ofOneBucket],
  'areas/search/service/search-articles.ts': [articles, ofOneDay],
  'where nearby &&': [
    articles,
    'all copies of a word are words one edit away from each other here',
  ],
  'areas/articles/service/own.ts': [
    articles,
    'the newest few of each agent, of which others have few',
  ],
  'areas/articles/service/exporting.ts': [
    10_000,
    'the revisions of articles that are exported together, all of which it returns',
  ],
  "to_char(a.created_at at time zone 'UTC', 'YYYY-MM')": [
    articles,
    'the decisions of a year, read once in five minutes for all readers',
  ],
};

/** Statements that may read large tables whole, and why. */
const readsAll: Readonly<Record<string, string>> = {
  'as owner_trust_level': ofOneBucket,
};

interface Measured {
  readonly place: string;
  readonly text: string;
  readonly cost: Cost;
}

function boundOf({ place, text }: Measured, bounds: Bounds): number | undefined {
  const found = Object.entries(bounds).find(
    ([one]) => place.startsWith(`${one}:`) || text.includes(one),
  );
  return found?.[1][0];
}

/** Returns what is wrong, in words. */
export function faultOf(measured: Measured): string | undefined {
  const { rows, blocks, sorted, scanned } = measured.cost;
  const most = boundOf(measured, blocksBy) ?? blocksMax + rows * blocksOfRow;
  const mayReadAll = Object.keys(readsAll).some((one) => measured.text.includes(one));
  if (scanned.length > 0 && !mayReadAll) return `reads all of ${scanned.join(', ')}`;
  if (sorted > (boundOf(measured, sortedBy) ?? sortedMax)) return `sorts ${sorted} rows`;
  return blocks > most ? `reads ${blocks} blocks for ${rows} rows` : undefined;
}
