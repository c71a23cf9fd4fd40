// The audit of a log: mirrors it, verifies it, and compares it with what the service shows.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, SignedCheckpoint } from '@colophon/sdk';
import { entriesPath, tileWidth, tileWidthAt, unpackEntries } from '@colophon/tlog';
import type { Context } from '../context.ts';
import { readCheckpoint } from './checkpoint.ts';
import type { OpenLog } from './checkpoint.ts';
import { compareArticles } from './compare-articles.ts';
import type { ArticleDoubts } from './compare-articles.ts';
import { compareOthers } from './compare-others.ts';
import type { Comparison } from './comparison.ts';
import { findingKey, openFindings } from './findings.ts';
import type { Doubt, Finding, Findings } from './findings.ts';
import { openLeafReader } from './leaves.ts';
import type { EarlierDate, LeafReader, LoggedHistory, SeenTree } from './leaves.ts';
import { loadFile } from './mirror-files.ts';
import { mirrorLog } from './mirror.ts';
import { showCount } from './progress.ts';

export interface AuditWords {
  /** The folder of the mirror. */
  readonly folder: string;
  /** Compare with what the service shows. */
  readonly compare: boolean;
  /** How long a difference may last until it is a finding. */
  readonly settleMs: number;
}

export interface AuditReport {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly folder: string;
  readonly witnesses: SignedCheckpoint['witnesses'];
  readonly publications: number;
  readonly articles: number;
  /** Whether it was compared with what the service shows. */
  readonly compared: boolean;
  readonly findings: readonly Finding[];
  /** More than are listed, if there are very many. */
  readonly findings_count: number;
  readonly earlier_dates: readonly EarlierDate[];
  readonly earlier_dates_count: number;
}

interface Audit {
  readonly context: Context;
  readonly log: OpenLog;
  readonly words: AuditWords;
  readonly findings: Findings;
}

interface Mirrored {
  readonly checkpoint: SignedCheckpoint;
  readonly history: LoggedHistory;
  readonly isWhole: boolean;
}

/** Reads the entry of a leaf from the mirror. */
function entriesIn(folder: string, size: number): Comparison['entryAt'] {
  let last: { readonly index: number; readonly entries: readonly Uint8Array[] } | undefined;
  return async (leaf) => {
    const index = Math.floor(leaf / tileWidth);
    if (last?.index !== index) {
      const bytes = await loadFile(folder, entriesPath(index, tileWidthAt(0, index, size)));
      last = { index, entries: (bytes && unpackEntries(bytes)) ?? [] };
    }
    return last.entries[leaf % tileWidth];
  };
}

/** Mirrors the tree of a checkpoint and reads its leaves. */
async function mirror(
  { context, log, words, findings }: Audit,
  checkpoint: SignedCheckpoint,
  seen: SeenTree | undefined,
): Promise<Mirrored> {
  const { terminal } = context;
  const reader: LeafReader = openLeafReader(findings, seen);
  const progress = showCount(terminal, 'Verified', checkpoint.size, 'leaves');
  const walk = { signal: terminal.signal, onLeaf: reader.read, onProgress: progress.show };
  const place = { folder: words.folder, client: log.client, findings };
  const isWhole = await mirrorLog(place, checkpoint, walk).finally(progress.end);
  return { checkpoint, history: reader.history, isWhole };
}

interface Service {
  readonly client: Client;
  readonly baseUrl: string;
}

/** Both sides of one comparison, and the end of its progress. */
function comparisonOf(
  { context, words, log }: Audit,
  { checkpoint, history }: Mirrored,
  service: Service,
): Comparison & { readonly end: () => void } {
  const { signal } = context.terminal;
  const progress = showCount(context.terminal, 'Compared', history.articles.size(), 'articles');
  return {
    ...service,
    trusted: log.found.trusted,
    history,
    size: checkpoint.size,
    signal,
    entryAt: entriesIn(words.folder, checkpoint.size),
    onProgress: progress.show,
    end: progress.end,
  };
}

interface Doubts {
  readonly articles: ArticleDoubts;
  readonly others: readonly Doubt[];
}

async function findDoubts(
  audit: Audit,
  mirrored: Mirrored,
  service: Service,
  before?: Doubts,
): Promise<Doubts> {
  const comparison = comparisonOf(audit, mirrored, service);
  const some = before?.articles.keys();
  const articles = await compareArticles(comparison, some).finally(comparison.end);
  const isOver = before !== undefined && before.others.length === 0;
  return { articles, others: isOver ? [] : await compareOthers(comparison) };
}

const all = ({ articles, others }: Doubts) => [...[...articles.values()].flat(), ...others];

/** The tree as it is now. */
async function refresh(audit: Audit, mirrored: Mirrored): Promise<Mirrored> {
  const checkpoint = await readCheckpoint(audit.context, audit.log);
  if (checkpoint.size === mirrored.checkpoint.size) return mirrored;
  return mirror(audit, checkpoint, undefined);
}

/** The longest time between two looks at what is in doubt. */
const longestStepMs = 2_000;

/**
 * Compares the log with the service. What happened while it ran is explained by leaves that come a little
 * later, so everything doubtful is compared again with the newest tree. How long that takes depends on the
 * clock of this computer, and on nothing that the service says. A finding is what is there in two looks.
 */
async function compare(audit: Audit, first: Mirrored, client: Client): Promise<Mirrored> {
  const { base_url: baseUrl } = await client.readMeta();
  const service = { client, baseUrl };
  const { settleMs } = audit.words;
  const [deadline, stepMs] = [Date.now() + settleMs, Math.min(longestStepMs, settleMs / 3)];
  let mirrored = first;
  let doubts = await findDoubts(audit, mirrored, service);
  while (all(doubts).length > 0) {
    await sleep(stepMs, undefined, { signal: audit.context.terminal.signal });
    mirrored = await refresh(audit, mirrored);
    const before = new Set(all(doubts).map(findingKey));
    doubts = await findDoubts(audit, mirrored, service, doubts);
    const repeated = all(doubts).filter((doubt) => before.has(findingKey(doubt)));
    if (Date.now() < deadline && !repeated.every(({ isCertain }) => isCertain)) continue;
    for (const { isCertain: _, ...finding } of repeated) audit.findings.add(finding);
    break;
  }
  return mirrored;
}

function seenTree({ found }: OpenLog, size: number | undefined): SeenTree | undefined {
  const at = found.remembered?.seen_at ?? null;
  return at === null || size === undefined ? undefined : { size, at };
}

const sizeOf = (note: string | null | undefined) => {
  const line = note?.split('\n')[1];
  return line === undefined ? undefined : Number(line);
};

function reportOf({ findings, words }: Audit, mirrored: Mirrored, compared: boolean): AuditReport {
  const { checkpoint, history } = mirrored;
  return {
    origin: checkpoint.origin,
    size: checkpoint.size,
    root: Buffer.from(checkpoint.root).toString('base64'),
    checkpoint: checkpoint.note,
    folder: words.folder,
    witnesses: checkpoint.witnesses,
    publications: history.publications,
    articles: history.articles.size(),
    compared,
    findings: findings.list,
    findings_count: findings.count(),
    earlier_dates: history.earlierDates,
    earlier_dates_count: history.earlierDateCount,
  };
}

/**
 * Audits a log. Findings are in the report.
 *
 * @throws LogFault for a checkpoint that is not signed or does not continue the remembered one, and for files
 *   that do not arrive
 */
export async function auditLog(
  context: Context,
  log: OpenLog,
  client: Client,
  words: AuditWords,
): Promise<AuditReport> {
  const audit: Audit = { context, log, words, findings: openFindings() };
  const seen = seenTree(log, sizeOf(log.found.remembered?.checkpoint));
  const checkpoint = await readCheckpoint(context, log);
  const mirrored = await mirror(audit, checkpoint, seen);
  if (!words.compare || !mirrored.isWhole) return reportOf(audit, mirrored, false);
  return reportOf(audit, await compare(audit, mirrored, client), true);
}

/** The folder of the mirror, if none is named. */
export function usualFolder(here: string, origin: string): string {
  return join(here, `colophon-log-${origin.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 80)}`);
}
