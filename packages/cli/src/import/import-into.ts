// importInto: takes every article of a source into an account, and reports what did not fit.
import type { Client } from '@colophon/sdk';
import { completed } from './completed.ts';
import { readInventory } from './inventory.ts';
import type { Inventory } from './inventory.ts';
import { keyText } from './origin.ts';
import { createPace, stopOf } from './pace.ts';
import type { Stop } from './pace.ts';
import { isRefusal, refusal } from './source.ts';
import type { Source, SourceArticle, Unfit } from './source.ts';
import { createUploads } from './upload.ts';
import { fittedTexts } from './texts.ts';
import { writeArticle } from './write-article.ts';
import type { Written } from './write-article.ts';
import type { Target, Writing } from './writing.ts';

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

interface Run {
  readonly writing: Writing;
  readonly inventory: Inventory;
  readonly dryRun: boolean;
  readonly items: ReportItem[];
  readonly counts: Record<Outcome, number>;
  /** The article that is being written. */
  target: Target | undefined;
}

interface Result {
  readonly outcome: Outcome;
  readonly id?: string;
  readonly notes: readonly string[];
}

function note(run: Run, article: SourceArticle | Unfit, result: Result): void {
  const { outcome, id, notes } = result;
  run.counts[outcome] += 1;
  if (notes.length === 0) return;
  const { title, key } = article;
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

async function importOne(run: Run, article: SourceArticle | Unfit): Promise<void> {
  const key = keyText(article.key);
  const present = run.inventory.articles.get(key);
  if ('unfit' in article) {
    note(run, article, { outcome: 'not_imported', notes: [article.unfit] });
    return;
  }
  const before = present === undefined ? undefined : completed(article, present);
  if (before !== undefined) return note(run, article, before);
  if (run.dryRun) return note(run, article, await wouldWrite(article));
  run.target = undefined;
  const written = await writeArticle(
    run.writing,
    article,
    present,
    (target) => (run.target = target),
  );
  note(run, article, written);
}

async function importAll(
  run: Run,
  source: Source,
  options: ImportOptions,
): Promise<Stop | undefined> {
  let done = 0;
  let current: SourceArticle | Unfit | undefined;
  try {
    for await (const article of source.articles()) {
      options.signal?.throwIfAborted();
      current = article;
      const { title } = article;
      options.report?.({ step: 'article', done, total: source.articleCount, title });
      await importOne(run, article);
      current = undefined;
      done += 1;
    }
    return undefined;
  } catch (error) {
    const stop = options.signal?.aborted === true ? interrupted : stopOf(error);
    if (stop === undefined) throw error;
    if (current !== undefined && run.target !== undefined) {
      const notes = ['It is not complete yet. Run the import again to complete it.'];
      const written = { outcome: 'unfinished' as const, id: run.target.id, notes };
      note(run, current, written);
    }
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
 * that ended early is continued. Articles are written one after the other; memory does not grow with them.
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
  const inventory = await readInventory(client, pace, author);
  const uploads = createUploads(client, pace, inventory.media);
  const counts = { imported: 0, present: 0, not_imported: 0, would_import: 0, unfinished: 0 };
  const writing = { client, pace, uploads };
  const run: Run = { writing, inventory, dryRun, items: [], counts, target: undefined };
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
