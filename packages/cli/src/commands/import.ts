// `colophon import PATH`: takes an export of a service or of another program into the account.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { failure } from '../failures.ts';
import { importInto, openImportRecord, openSource } from '../import/index.ts';
import type { ImportReport, Progress, Source } from '../import/index.ts';
import { oneLine, printable } from '../output/printable.ts';
import { openProgress } from '../output/progress.ts';
import { stateFolder } from '../profiles/profiles.ts';
import { ownId } from '../targets.ts';

interface Words {
  readonly media?: string | undefined;
  readonly dryRun?: true | undefined;
  readonly keepFrontMatter?: true | undefined;
  readonly wait?: number | undefined;
}

function wholeSeconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function summary({ counts, dry_run, source }: ImportReport): string {
  const { imported, present, not_imported, would_import, media_uploaded, unfinished } = counts;
  const done = dry_run
    ? `Would import ${plural(would_import, 'article')}`
    : `Imported ${plural(imported, 'article')} and ${plural(media_uploaded, 'file')}`;
  const parts = [
    `${done} from ${oneLine(source)}`,
    ...(present > 0 ? [`${present} already here`] : []),
    ...(not_imported > 0 ? [`${not_imported} not imported`] : []),
    ...(unfinished > 0 ? [`${unfinished} not finished`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function linesOf(report: ImportReport): readonly string[] {
  const items = report.items.flatMap(({ title, outcome, origin_id, id, notes }) => [
    `${oneLine(title)} (${outcome.replaceAll('_', ' ')}; ${oneLine(id ?? origin_id)})`,
    ...notes.map((note) => `  ${oneLine(note)}`),
  ]);
  return [
    summary(report),
    ...(items.length === 0 ? [] : ['', ...items]),
    ...(report.left_out.length === 0 ? [] : ['', ...report.left_out.map(printable)]),
  ];
}

/** Shows the article that is being written on standard error, at a terminal only. */
function statusLine({ terminal, output }: Context) {
  const { errors } = terminal;
  let shown = 0;
  const clear = () => {
    if (shown > 0) errors.write(`\r${' '.repeat(shown)}\r`);
    shown = 0;
  };
  const show = (progress: Progress) => {
    if (progress.step === 'waiting') {
      clear();
      output.note(`${oneLine(progress.reason)}: waiting ${progress.seconds} seconds.`);
    } else if (errors.isTTY === true && progress.step === 'article') {
      clear();
      const { done, total, title } = progress;
      const text = `${done + 1} of ${total}: ${oneLine(title)}`.slice(0, output.width - 1);
      errors.write(text);
      shown = text.length;
    }
  };
  return { show, clear };
}

async function openPath(context: Context, path: string, words: Words): Promise<Source> {
  const { terminal } = context;
  const media = words.media === undefined ? undefined : resolve(terminal.folder, words.media);
  let progress: ReturnType<typeof openProgress> | undefined;
  const onProgress = (done: number, total: number) =>
    (progress ??= openProgress(terminal, total)).show(done);
  const { keepFrontMatter } = words;
  const options = { media, keepFrontMatter, signal: terminal.signal, onProgress };
  return openSource(resolve(terminal.folder, path), options).finally(() => progress?.end());
}

/** The record of one account at one service. */
async function recordOf(context: Context) {
  const { url } = await context.account();
  const hash = createHash('sha256').update([url, await ownId(context)].join('\n'));
  const name = `${hash.digest('hex')}.jsonl`;
  return openImportRecord(join(stateFolder(context.terminal.env), 'imports', name));
}

async function run(context: Context, path: string, words: Words): Promise<void> {
  await using source = await openPath(context, path, words);
  const status = statusLine(context);
  const report = await importInto(await context.client(), source, {
    report: status.show,
    signal: context.terminal.signal,
    dryRun: words.dryRun,
    record: await recordOf(context),
    longestWaitMs: words.wait === undefined ? undefined : words.wait * 1000,
  }).finally(status.clear);
  await context.output.answer(report, () => linesOf(report));
  if (report.stopped !== null)
    throw failure(report.stopped.reason, 'Run the same command again; nothing is added twice.');
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<path>', 'an export (Colophon, WordPress or Ghost), or a folder of Markdown files')
    .option('--media <folder>', 'files that the export does not contain: a folder, or a ZIP of it')
    .option(
      '--keep-front-matter',
      'publish all front matter of Markdown files, also unknown members',
    )
    .option('--wait <seconds>', 'wait this long for a limit at most (default: 300)', wholeSeconds)
    .option('--dry-run', 'check the export and the account, and write nothing')
    .action((path, words) => run(open(), path, words));
  addExamples(command, [
    ['colophon import archive.zip --dry-run', 'Check an archive, and list what would not fit'],
    ['colophon import archive.zip', 'Import it; run it again to continue after an interruption'],
    ['colophon import . --json', 'Import the Markdown files of this folder; the report as JSON'],
  ]);
}
