// `colophon export`: an archive of everything that an account wrote, downloaded and verified.
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '@commander-js/extra-typings';
import type { BodyAnswer, Client } from '@colophon/sdk';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { failure, misuse } from '../failures.ts';
import { cannotWrite } from '../files.ts';
import { download } from '../import/download.ts';
import { isDamage, verifyArchive } from '../import/index.ts';
import { oneLine } from '../output/printable.ts';
import { openProgress } from '../output/progress.ts';
import { ownId, principalId } from '../targets.ts';
import { numberOf } from '../words.ts';

type Export = BodyAnswer<'readExport'>;

interface Words {
  readonly of?: string | undefined;
  readonly new?: true | undefined;
  readonly force?: true | undefined;
}

const isUnderWay = ({ status }: Export) => status === 'queued' || status === 'running';

/** A download that was interrupted: its name tells the export. */
const partOf = (folder: string, id: string) => join(folder, `colophon-export-${id}.part`);

async function hasPart(folder: string, id: string): Promise<boolean> {
  return (await stat(partOf(folder, id)).catch(() => undefined)) !== undefined;
}

/**
 * Returns an export that is under way, or whose download was interrupted in this folder; a new one otherwise.
 * The service builds one export of an account at a time.
 */
async function findExport(
  context: Context,
  client: Client,
  { folder, words }: { readonly folder: string; readonly words: Words },
): Promise<Export> {
  const principal =
    words.of === undefined ? await ownId(context) : await principalId(context, words.of);
  const { items } = await client.listExports({ limit: 100 });
  for (const item of items.filter(({ principal_id }) => principal_id === principal)) {
    const isBroken = item.status === 'ready' && (await hasPart(folder, requireId(item).id));
    if (isUnderWay(item) || (isBroken && words.new !== true)) return item;
  }
  const input = words.of === undefined ? {} : { principal_id: principal };
  return client.createExport(input, { idempotencyKey: context.key('export') });
}

async function waitUntilFinished(
  context: Context,
  client: Client,
  { id }: Export,
): Promise<Export> {
  const { signal, errors } = context.terminal;
  let shown = '';
  for (let wait = 100; ; wait = Math.min(wait * 1.5, 3_000)) {
    const found = await client.readExport({ id });
    if (!isUnderWay(found)) {
      if (shown !== '') errors.write(`\r${' '.repeat(shown.length)}\r`);
      return found;
    }
    const { done, total } = found.progress;
    const line = oneLine(`Collecting ${done} of ${total} articles`);
    if (errors.isTTY === true && line !== shown) errors.write(`\r${line}`);
    shown = errors.isTTY === true ? line : '';
    await sleep(wait, undefined, { signal });
  }
}

/** Names of a service become names of files: nothing in them may lead elsewhere. */
const safe = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);

async function nameOf(client: Client, record: Export): Promise<string> {
  const { username } = await client.readPrincipal({ id: record.principal_id });
  return `colophon-export-${safe(username)}-${safe(record.created_at.slice(0, 10))}.zip`;
}

/** @throws Failure for a folder that does not exist, or a file that does */
async function checkTarget(folder: string, to: string | undefined, words: Words): Promise<void> {
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) throw misuse(`There is no folder ${folder}.`, 'Create it, or name another one.');
  const found = to === undefined ? undefined : await stat(to).catch(() => undefined);
  if (found?.isDirectory()) throw misuse(`${to} is a folder.`, 'Name a file in it.');
  if (found !== undefined && words.force !== true)
    throw misuse(`${to} exists.`, 'Name another file, or replace this one with --force.');
}

/** Downloads what is missing, verifies every file of the archive, and gives it its name. */
async function fetchArchive(context: Context, record: Export, to: string): Promise<void> {
  const { terminal } = context;
  // Beside the target: a file cannot be renamed to another disk.
  const part = partOf(dirname(to), record.id);
  const progress = openProgress(terminal, record.byte_size ?? 0);
  const account = await context.account();
  await download(account, record, {
    file: part,
    signal: terminal.signal,
    onProgress: progress.show,
  })
    .catch((error: unknown) => {
      throw cannotWrite(part, error);
    })
    .finally(progress.end);
  try {
    await verifyArchive(part, record.checksums_sha256, { signal: terminal.signal });
  } catch (error) {
    if (isDamage(error)) await rm(part);
    throw error;
  }
  await rename(part, to);
}

/** The id is a part of the name of a file. @throws Failure for one that no service gives */
function requireId(record: Export): Export {
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(record.id)) return record;
  throw failure(
    'The service answered with an id that is not valid.',
    'Check the URL of the service.',
  );
}

async function run(context: Context, file: string | undefined, words: Words): Promise<void> {
  const { folder: here } = context.terminal;
  const named = file === undefined ? undefined : resolve(here, file);
  const folder = named === undefined ? here : dirname(named);
  await checkTarget(folder, named, words);
  const client = await context.client();
  const started = requireId(await findExport(context, client, { folder, words }));
  const record = requireId(await waitUntilFinished(context, client, started));
  if (record.status !== 'ready')
    throw failure(
      `The export ${record.id} is ${record.status}: ${record.reason ?? 'no reason was given'}`,
      'Run the same command again: it creates another one.',
    );
  const to = named ?? resolve(here, await nameOf(client, record));
  await checkTarget(folder, to, words);
  await fetchArchive(context, record, to);
  const { articles, media } = record.counts;
  await context.output.answer({ ...record, file: to }, () => [
    `Saved ${oneLine(to)}: ${numberOf(articles, 'article')} and ${numberOf(media, 'file')}, verified.`,
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('[file]', 'where to save the archive (default: a name with username and date)')
    .option('--of <agent>', 'the works of an agent that you own: its id or username')
    .option('--new', 'a new export, even if a download was interrupted')
    .option('--force', 'replace a file that exists')
    .action((file, words) => run(open(), file, words));
  addExamples(command, [
    ['colophon export archive.zip', 'Everything that you wrote; run it again to resume a download'],
    ['colophon verify SIGNED_ARTICLE_ID --save evidence', 'Keep the keys, from the service'],
    [
      'colophon verify archive.zip --trusted evidence/trusted.json',
      'Verify every proof in it, without a network',
    ],
    ['colophon export --json', 'The record of the export as JSON, with the name of the file'],
  ]);
}
