// importInto: takes every article of a source into an account, and reports what did not fit.
import type { Client } from '@colophon/sdk';
import { completionOf } from './completed.ts';
import { formerly } from './former.ts';
import type { Former } from './former.ts';
import { readInventory } from './inventory.ts';
import { linkableOf } from './links.ts';
import { keyText } from './origin.ts';
import { originalOf } from './originals.ts';
import type { Here } from './originals.ts';
import { createPace, stopOf } from './pace.ts';
import type { Stop } from './pace.ts';
import type { ImportRecord } from './record.ts';
import { isRefusal, refusal } from './source.ts';
import type { Source, SourceArticle, Unfit } from './source.ts';
import { createUploads } from './upload.ts';
import { fittedTexts } from './texts.ts';
import { beginArticle, writeArticle } from './write-article.ts';
import type { Written } from './write-article.ts';
import type { Target } from './writing.ts';

export type Outcome = Written['outcome'] | 'would_import' | 'unfinished';

/** An article with something to say about it. Articles that fit completely are only counted. */
export interface ReportItem {
  /** Its id at the origin. */
  readonly origin_id: string;
  readonly title: string;
  readonly outcome: Outcome;
  /** Its id at the service, if it has one. */
  readonly id?: string;
  readonly notes: readonly string[];
}

export interface ImportReport {
  readonly source: string;
  readonly dry_run: boolean;
  readonly counts: Readonly<Record<Outcome | 'media_uploaded', number>>;
  readonly items: readonly ReportItem[];
  /** What the format contains, and no import takes. */
  readonly left_out: readonly string[];
  /** Why the import ended early: run it again to continue. */
  readonly stopped: { readonly reason: string; readonly continue_at: string | null } | null;
}

export type Progress =
  | { readonly step: 'reading' }
  | {
      readonly step: 'article';
      readonly done: number;
      readonly total: number;
      readonly title: string;
    }
  | { readonly step: 'waiting'; readonly seconds: number; readonly reason: string };

export interface ImportOptions {
  readonly report?: ((progress: Progress) => void) | undefined;
  /** Ends the import after the request in flight. The report then has `stopped`. */
  readonly signal?: AbortSignal | undefined;
  /** Checks everything that can be checked without writing. */
  readonly dryRun?: boolean | undefined;
  /** What earlier imports wrote: without it, an article that no list names any more is not known again. */
  readonly record?: ImportRecord | undefined;
  /** The longest wait for a limit of the service. Default 5 minutes. */
  readonly longestWaitMs?: number | undefined;
  /** Repetitions while the service does not answer. Default 6, together about a minute. */
  readonly patience?: number | undefined;
}

const scopes = ['articles:read', 'articles:write', 'articles:publish', 'media:write'] as const;

const interrupted: Stop = {
  reason: 'The import was interrupted. Run it again: it continues where it stopped.',
  continueAt: undefined,
};

interface Run extends Here {
  readonly dryRun: boolean;
  readonly items: ReportItem[];
  readonly counts: Record<Outcome, number>;
  /** Articles that this run began and has not completed, by their id at the origin. */
  readonly begun: Map<string, { readonly target: Target; readonly title: string }>;
}

interface Result {
  readonly outcome: Outcome;
  readonly id?: string;
  readonly notes: readonly string[];
}

function note(run: Run, article: SourceArticle | Unfit, result: Result): void {
  const { outcome, id, notes } = result;
  const { title, key } = article;
  run.begun.delete(key.id);
  if (outcome === 'not_imported') run.writing.linkables.delete(key.id);
  run.counts[outcome] += 1;
  if (notes.length === 0) return;
  run.items.push({ origin_id: key.id, title, outcome, ...(id === undefined ? {} : { id }), notes });
}

/** Checks the texts of an article as far as possible without the service. */
async function wouldWrite(article: SourceArticle): Promise<Result> {
  try {
    const { notes } = await fittedTexts(article, () => undefined);
    return { outcome: 'would_import', notes: [...article.notes, ...notes] };
  } catch (error) {
    if (isRefusal(error)) return { outcome: 'not_imported', notes: [error.message] };
    throw error;
  }
}

/** Remembers an article that exists at the service, for the links of others and for the report. */
function onTargetOf({ begun, writing }: Run, article: SourceArticle) {
  const { key, title } = article;
  return async (target: Target) => {
    begun.set(key.id, { target, title });
    writing.linkables.set(key.id, linkableOf(article, target));
    await writing.record?.add(key, target.id);
  };
}

/** Returns what the service has of an article, even if no list names it. */
async function presentIn(run: Run, { key }: SourceArticle): Promise<Former> {
  const present = run.inventory.articles.get(keyText(key));
  const id = run.writing.record?.idOf(key);
  if (present !== undefined || id === undefined) return { present };
  return formerly(run.writing, keyText(key), id);
}

/** Returns what is to be said about an article on which nothing is to be written. */
function resultOf(article: SourceArticle, { present, left }: Former): Result | undefined {
  if (left !== undefined && present === undefined)
    return { outcome: 'not_imported', notes: [left] };
  const before = present === undefined ? undefined : completionOf(article, present);
  if (before === undefined || left === undefined) return before;
  return { ...before, notes: [left, ...before.notes] };
}

/** Says what happened to an article that this service exported. Returns false for any other article. */
async function noteOriginal(run: Run, article: SourceArticle): Promise<boolean> {
  const original = await originalOf(run, article);
  if (original === undefined) return false;
  const { at } = original;
  if (at !== undefined) run.writing.linkables.set(article.key.id, linkableOf(article, at));
  note(run, article, original);
  return true;
}

/** Writes an article; one that links to others is only begun, and `linked` gets its id. */
async function importOne(
  run: Run,
  article: SourceArticle | Unfit,
  linked: Set<string>,
): Promise<void> {
  if ('unfit' in article) {
    note(run, article, { outcome: 'not_imported', notes: [article.unfit] });
    return;
  }
  const { key } = article;
  if (await noteOriginal(run, article)) return;
  const former = await presentIn(run, article);
  const { present } = former;
  if (present !== undefined) {
    run.writing.linkables.set(key.id, linkableOf(article, present));
    if (!run.dryRun) await run.writing.record?.add(key, present.id);
  }
  const before = resultOf(article, former);
  if (before !== undefined) return note(run, article, before);
  if (run.dryRun) return note(run, article, await wouldWrite(article));
  const write = article.linksTo.size === 0 ? writeArticle : beginArticle;
  const written = await write(run.writing, article, { present }, onTargetOf(run, article));
  if (written === undefined) linked.add(key.id);
  else note(run, article, written);
}

/** Completes an article that was begun, now that the addresses of the others are known. */
async function completeOne(run: Run, article: SourceArticle | Unfit): Promise<void> {
  const target = run.begun.get(article.key.id)?.target;
  if ('unfit' in article) {
    note(run, article, { outcome: 'not_imported', notes: [article.unfit] });
    return;
  }
  note(run, article, await writeArticle(run.writing, article, { target }, async () => undefined));
}

type Work = (article: SourceArticle | Unfit) => Promise<void>;

/** Calls `work` for each article, and reports those that are done. */
async function eachOf(
  articles: AsyncIterable<SourceArticle | Unfit>,
  run: Run,
  { signal, report, total }: Pick<ImportOptions, 'signal' | 'report'> & { readonly total: number },
  work: Work,
): Promise<void> {
  for await (const article of articles) {
    signal?.throwIfAborted();
    const { counts } = run;
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
    report?.({ step: 'article', done, total, title: article.title });
    await work(article);
  }
}

/** Lists what was begun and is not complete. */
function noteUnfinished(run: Run): void {
  const notes = ['It is not complete yet. Run the import again to complete it.'];
  for (const [origin_id, { target, title }] of run.begun) {
    run.counts.unfinished += 1;
    run.items.push({ origin_id, title, outcome: 'unfinished', id: target.id, notes });
  }
}

async function importAll(
  run: Run,
  source: Source,
  options: ImportOptions,
): Promise<Stop | undefined> {
  const { signal, report } = options;
  const settings = { signal, report, total: source.articleCount };
  const linked = new Set<string>();
  try {
    await eachOf(source.articles(), run, settings, (article) => importOne(run, article, linked));
    if (linked.size > 0)
      await eachOf(source.articles(linked), run, settings, (article) => completeOne(run, article));
    return undefined;
  } catch (error) {
    const stop = signal?.aborted === true ? interrupted : stopOf(error);
    if (stop === undefined) throw error;
    noteUnfinished(run);
    return stop;
  }
}

/** @throws a refusal that names the missing scopes */
async function requireScopes(client: Client): Promise<string> {
  const me = await client.readMe();
  const missing = scopes.filter((scope) => !me.scopes.includes(scope));
  if (missing.length > 0)
    throw refusal(
      `The token lacks ${missing.join(', ')}. Issue a token with these scopes, and run the import with it.`,
    );
  return me.principal.id;
}

/**
 * Takes every article of a source into the account of the client's token: files, all texts in order, times,
 * status and visibility. What was imported before is left as it is, so a second run adds nothing, and a run
 * that ended early is continued. Articles are written one after the other; memory does not grow with their
 * texts. Those that link to others are written in a second pass, when the addresses of all are known.
 *
 * @throws a refusal that nothing can be imported with this token; ProblemError while the account is read
 */
export async function importInto(
  client: Client,
  source: Source,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { report, signal, dryRun = false, longestWaitMs = 300_000, patience = 6 } = options;
  const onWait = (seconds: number, reason: string) =>
    report?.({ step: 'waiting', seconds, reason });
  const pace = createPace({ signal, longestWaitMs, patience, onWait });
  const author = await requireScopes(client);
  report?.({ step: 'reading' });
  const { base_url: service } = await pace.call(() => client.readMeta());
  const inventory = await readInventory(client, pace, author);
  const uploads = createUploads(client, pace, inventory.media);
  const counts = { imported: 0, present: 0, not_imported: 0, would_import: 0, unfinished: 0 };
  const writing = { client, pace, uploads, linkables: new Map(), record: options.record };
  const run: Run = {
    writing,
    inventory,
    service,
    author,
    dryRun,
    items: [],
    counts,
    begun: new Map(),
  };
  const stop = await importAll(run, source, options);
  return {
    source: source.title,
    dry_run: dryRun,
    counts: { ...counts, media_uploaded: uploads.count() },
    items: run.items,
    left_out: source.leftOut,
    stopped:
      stop === undefined ? null : { reason: stop.reason, continue_at: stop.continueAt ?? null },
  };
}
