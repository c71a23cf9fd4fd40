// `colophon log`: reads and audits the transparency log of a service.
import { resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import type { LogFault } from '@colophon/sdk';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure, misuse } from '../failures.ts';
import { requireFolder } from '../files.ts';
import { openLog, readCheckpoint } from '../transparency/checkpoint.ts';
import type { OpenLog } from '../transparency/checkpoint.ts';
import { evidenceLines, findingLines, reportLines } from '../transparency/report.ts';
import { notAService } from '../profiles/account.ts';
import { findLog } from '../transparency/trust.ts';
import type { TrustWords } from '../transparency/trust.ts';
import { oneLine } from '../output/printable.ts';

interface AuditWords extends TrustWords {
  readonly folder?: string | undefined;
  readonly compare: boolean;
  readonly strict?: true | undefined;
  readonly settle: number;
}

/** The service of the invocation, or the one that is named, which gets no token of another one. */
async function open(context: Context, url: string | undefined, words: TrustWords) {
  if (url !== undefined && !/^https?:\/\//.test(url))
    throw misuse(notAService(url), 'Write https://…');
  const account = url === undefined ? await context.account() : { url };
  const client = await context.clientFor({ url: account.url });
  const found = await findLog(context, client, { service: account.url, words });
  return { client, log: await openLog(context, found) };
}

/** Faults of the network end otherwise than what a log did. */
function failureOf({ reason, message }: LogFault) {
  if (reason === 'unreachable')
    return failure(message, 'Run the same command again: it continues.', exits.network);
  return failure(`The log is refused (${reason}): ${message}`, undefined, exits.no);
}

const isBroken = ({ reason }: LogFault) => reason === 'older' || reason === 'forked';

/** Prints the evidence that a log broke its promise. */
async function printFork(
  { output }: Context,
  { client, found }: OpenLog,
  { folder, fault }: { readonly folder: string; readonly fault: LogFault },
): Promise<void> {
  const { findFork } = await import('../transparency/fork.ts');
  const findings = await findFork(client, folder, fault);
  const { evidence = { remembered: '', received: '' } } = fault;
  const body = { origin: found.origin, findings, findings_count: findings.length, evidence };
  await output.answer(body, () => [
    ...findingLines(findings, findings.length, output.style),
    ...evidenceLines(evidence),
  ]);
}

/** Does work on a log, and says what a fault of the log means. */
async function withFaults<T>(
  context: Context,
  log: OpenLog,
  folder: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { isLogFault } = await import('@colophon/sdk');
    if (!isLogFault(error)) throw error;
    if (isBroken(error)) await printFork(context, log, { folder, fault: error });
    throw failureOf(error);
  }
}

async function folderOf(context: Context, log: OpenLog, named: string | undefined) {
  const { usualFolder } = await import('../transparency/audit.ts');
  const here = context.terminal.folder;
  const folder = named === undefined ? usualFolder(here, log.found.origin) : resolve(here, named);
  await requireFolder(folder, named ?? folder);
  return folder;
}

async function audit(context: Context, url: string | undefined, words: AuditWords): Promise<void> {
  const { client, log } = await open(context, url, words);
  const { auditLog } = await import('../transparency/audit.ts');
  const { output } = context;
  const folder = await folderOf(context, log, words.folder);
  const report = await withFaults(context, log, folder, () =>
    auditLog(context, log, client, {
      folder,
      compare: words.compare,
      settleMs: words.settle * 1000,
    }),
  );
  await output.answer(report, () => reportLines(report, output.style));
  if (report.findings_count > 0)
    throw failure(`The audit found ${report.findings_count} faults.`, undefined, exits.no);
  if (words.strict && report.earlier_dates_count > 0)
    throw failure('Publications have earlier dates than the log confirms.', undefined, exits.no);
}

async function checkpoint(context: Context, url: string | undefined, words: TrustWords) {
  const { log } = await open(context, url, words);
  const folder = await folderOf(context, log, undefined);
  const read = await withFaults(context, log, folder, () => readCheckpoint(context, log));
  const { origin, size, root, note, witnesses } = read;
  const body = { origin, size, root: Buffer.from(root).toString('base64'), note, witnesses };
  await context.output.answer(body, () => [
    `Log:        ${oneLine(origin)}`,
    `Leaves:     ${size}`,
    `Root:       ${body.root}`,
    `Witnesses:  ${witnesses.map(({ name, at }) => oneLine(`${name} at ${at}`)).join(', ') || 'none that you named'}`,
    `Remembered: ${log.found.memory.file}`,
  ]);
}

function positive(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

const addTo = (key: string, keys: readonly string[] = []) => [...keys, key];

/** Adds the command. */
export function define(command: Command, openContext: Open): void {
  const url = ['[url]', 'the service (default: the one in use)'] as const;
  command
    .command('audit')
    .description('Copy the whole log, verify it, and compare it with what the service shows.')
    .argument(...url)
    .option(
      '--folder <folder>',
      'the mirror (default: colophon-log-NAME here); run again to resume',
    )
    .option('--no-compare', 'verify the log, without comparing it with the service')
    .option(
      '--settle <seconds>',
      'how long a difference may last until it is a finding',
      positive,
      30,
    )
    .option('--strict', 'a publication with an earlier date than the log confirms is a failure')
    .option('--key <key>', 'the key of the log that you trust: NAME+ID+BASE64')
    .option('--witness <key>', 'the key of a witness that you trust; may be repeated', addTo)
    .option('--quorum <number>', 'how many of the witnesses must have signed', positive)
    .action((word, words) => audit(openContext(), word, words));
  command
    .command('checkpoint')
    .description('Read the newest checkpoint, and compare it with the one that you saw last.')
    .argument(...url)
    .option('--key <key>', 'the key of the log that you trust: NAME+ID+BASE64')
    .option('--witness <key>', 'the key of a witness that you trust; may be repeated', addTo)
    .option('--quorum <number>', 'how many of the witnesses must have signed', positive)
    .action((word, words) => checkpoint(openContext(), word, words));
  command.addHelpText('after', '\nThe exit code is 0 if nothing is wrong and 3 for any finding.');
  addExamples(command, [
    ['colophon log checkpoint', 'See that the log continues what you saw before'],
    ['colophon log audit --folder mirror', 'Audit everything, and keep a mirror'],
    ['colophon log audit SERVICE_URL --folder mirror --json', 'The report as JSON'],
  ]);
}
