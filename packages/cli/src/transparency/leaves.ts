// What the leaves of a log say, read in their order: articles, keys, moderation actions, closed accounts.
import { isId } from '../id.ts';
import { isObject, parseJson } from '../json.ts';
import { createArticleTable } from './article-table.ts';
import type { ArticleState, ArticleTable } from './article-table.ts';
import type { Findings } from './findings.ts';

export interface LoggedKey {
  readonly agent: string;
  readonly publicKeyHash: string;
  readonly leaf: number;
  revokedLeaf: number | null;
  compromisedAt: string | null;
}

/** A publication that claims a date before the log could have seen it. Imported works have such dates. */
export interface EarlierDate {
  readonly leaf: number;
  readonly article: string;
  readonly published_at: string;
  readonly logged_at: string;
}

export interface LoggedHistory {
  /** Of all leaves. */
  leaves: number;
  publications: number;
  /** The latest time that a leaf has. */
  until: string;
  readonly articles: ArticleTable;
  readonly keys: Map<string, LoggedKey>;
  /** Leaves by the hash of the statement. */
  readonly statements: Map<string, number>;
  readonly closed: Map<string, number>;
  readonly earlierDates: EarlierDate[];
  earlierDateCount: number;
}

/** When this computer saw a checkpoint, and of how many leaves. */
export interface SeenTree {
  readonly size: number;
  readonly at: string;
}

export interface LeafReader {
  readonly history: LoggedHistory;
  read(index: number, entry: Uint8Array): void;
}

/** Leaves are collected by several workers, and clocks differ. Ten minutes later, the log uses its own time. */
const toleranceMs = 15 * 60_000;
const listedDates = 100;

type Members = Readonly<Record<string, unknown>>;
type Take = (history: LoggedHistory, leaf: number, members: Members) => string | undefined;

const textOf = (members: Members, name: string) => {
  const value = members[name];
  return typeof value === 'string' ? value : '';
};

const takePublication: Take = (history, leaf, members) => {
  const [article, revision] = [textOf(members, 'article'), textOf(members, 'revision')];
  if (article === '' || revision === '') return 'It names no article and revision.';
  if (!isId(article)) return 'Its article has no id.';
  history.publications += 1;
  history.articles.publish(article, leaf);
  return undefined;
};

const takeState =
  (state: ArticleState): Take =>
  ({ articles }, leaf, members) => {
    const article = textOf(members, 'article');
    if (!isId(article)) return 'Its article has no id.';
    const known = articles.get(article);
    if (known?.state === 'erased' && state !== 'erased')
      return `Leaf ${known.stateLeaf} says that the article was erased.`;
    articles.change(article, state, leaf);
    return undefined;
  };

const takeKey: Take = ({ keys }, leaf, members) => {
  const [key, agent] = [textOf(members, 'key'), textOf(members, 'agent')];
  if (keys.has(key)) return 'The key was registered by an earlier leaf.';
  const publicKeyHash = textOf(members, 'public_key_sha256');
  keys.set(key, { agent, publicKeyHash, leaf, revokedLeaf: null, compromisedAt: null });
  return undefined;
};

const takeKeyEnd: Take = ({ keys }, leaf, members) => {
  const key = keys.get(textOf(members, 'key'));
  if (key === undefined) return 'No earlier leaf registered the key.';
  key.revokedLeaf ??= leaf;
  const at = textOf(members, 'compromised_at');
  // The date of a compromise is only ever moved back.
  if (members['kind'] === 'key.compromised' && at < (key.compromisedAt ?? '9'))
    key.compromisedAt = at;
  return undefined;
};

const takers: Readonly<Record<string, Take>> = {
  publication: takePublication,
  'article.shown': takeState('shown'),
  'article.withdrawn': takeState('withdrawn'),
  'article.removed': takeState('removed'),
  'article.erased': takeState('erased'),
  'key.registered': takeKey,
  'key.revoked': takeKeyEnd,
  'key.compromised': takeKeyEnd,
  moderation: ({ statements }, leaf, members) => {
    statements.set(textOf(members, 'statement'), leaf);
    return undefined;
  },
  'account.closed': ({ closed }, leaf, members) => {
    closed.set(textOf(members, 'principal'), leaf);
    return undefined;
  },
};

/** The time before which a leaf cannot have been made, and why. */
function boundOf(history: LoggedHistory, index: number, seen: SeenTree | undefined) {
  return seen !== undefined && index >= seen.size && seen.at > history.until
    ? { time: seen.at, why: `it was not there on ${seen.at}` }
    : { time: history.until, why: `an earlier leaf has ${history.until}` };
}

/** Times of one form sort as texts, which is fast. What has another form is parsed. */
const isBefore = (time: string, bound: string) =>
  (time < bound || time.length !== bound.length) &&
  !(Date.parse(time) >= Date.parse(bound) - toleranceMs);

function checkTime({ history, findings, seen }: Reading, index: number, at: string): void {
  const { time, why } = boundOf(history, index, seen);
  if (isBefore(at, time)) {
    const detail = `Leaf ${index} has the time ${at}, but ${why}.`;
    findings.add({ kind: 'backdated', leaf: index, detail });
  } else if (at > history.until) history.until = at;
}

/** Publications whose date is earlier than the leaf. */
function noteDate({ history }: Reading, leaf: number, members: Members): void {
  const [logged_at, published_at] = [textOf(members, 'at'), textOf(members, 'published_at')];
  if (members['kind'] !== 'publication' || !isBefore(published_at, logged_at)) return;
  history.earlierDateCount += 1;
  if (history.earlierDates.length >= listedDates) return;
  const article = textOf(members, 'article');
  history.earlierDates.push({ leaf, article, published_at, logged_at });
}

interface Reading {
  readonly history: LoggedHistory;
  readonly findings: Findings;
  readonly seen: SeenTree | undefined;
}

function emptyHistory(): LoggedHistory {
  return {
    leaves: 0,
    publications: 0,
    until: '1970-01-01T00:00:00.000Z',
    articles: createArticleTable(),
    keys: new Map(),
    statements: new Map(),
    closed: new Map(),
    earlierDates: [],
    earlierDateCount: 0,
  };
}

/** Returns the revision that a leaf is about; an empty text for other leaves. */
export function revisionOf(entry: Uint8Array | undefined): string {
  return entry === undefined ? '' : textOf(membersOf(entry) ?? {}, 'revision');
}

/** What is not UTF-8 was replaced, and is not the JSON that was logged; the hash of the leaf was compared before. */
function membersOf(entry: Uint8Array): Members | undefined {
  const { buffer, byteOffset, byteLength } = entry;
  const value = parseJson(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
  return isObject(value) ? value : undefined;
}

/**
 * Reads leaves in their order. A leaf that contradicts an earlier one, or claims a time at which it was not in
 * the log, is a finding. Kinds that this program does not know are counted and skipped.
 */
export function openLeafReader(findings: Findings, seen: SeenTree | undefined): LeafReader {
  const history = emptyHistory();
  const reading: Reading = { history, findings, seen };
  return {
    history,
    read: (index, entry) => {
      history.leaves += 1;
      const members = membersOf(entry);
      if (members === undefined) {
        findings.add({ kind: 'different', leaf: index, detail: `Leaf ${index} is not JSON.` });
        return;
      }
      checkTime(reading, index, textOf(members, 'at'));
      noteDate(reading, index, members);
      const wrong = takers[textOf(members, 'kind')]?.(history, index, members);
      if (wrong !== undefined)
        findings.add({ kind: 'different', leaf: index, detail: `Leaf ${index}: ${wrong}` });
    },
  };
}
