// `colophon moderate`: reports, decisions and actions of moderators.
import {
  moderationActions,
  moderationSources,
  reasonCodes,
  reportStatuses,
  targetTypes,
} from '@colophon/contract';
import { Argument } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { toJson } from '../json.ts';
import { reportColumns } from '../output/columns.ts';
import { oneLine } from '../output/printable.ts';
import { idOf } from '../targets.ts';
import { oneOf } from '../words.ts';

type Status = (typeof reportStatuses)[number];

async function list({ client, output }: Context, status: Status = 'open'): Promise<void> {
  await output.list((await client()).each.listReports({ status }), reportColumns);
}

async function show({ client, output }: Context, word: string): Promise<void> {
  const report = await (await client()).readReport({ id: idOf(word, 'a report') });
  await output.answer(report, () => toJson(report, 2).split('\n'));
}

async function review(
  context: Context,
  word: string,
  decision: { readonly status: 'reviewing' | 'rejected'; readonly resolution?: string | undefined },
): Promise<void> {
  const id = idOf(word, 'a report');
  const answer = await (await context.client()).reviewReport({ id, ...decision });
  await context.output.answer(answer, () => [`The report is ${oneLine(answer.status)}.`]);
}

function defineReports(command: Command, open: Open): void {
  const report = ['<report>', 'its id'] as const;
  command
    .command('reports')
    .description('List reports.')
    .addOption(oneOf('--status <status>', 'which (default: open)', reportStatuses))
    .action(({ status }) => list(open(), status));
  command
    .command('show')
    .description('Show a report with everything that a decision needs.')
    .argument(...report)
    .action((word) => show(open(), word));
  command
    .command('claim')
    .description('Claim a report, so that others leave it to you.')
    .argument(...report)
    .action((word) => review(open(), word, { status: 'reviewing' }));
  command
    .command('reject')
    .description('Close a report without an action.')
    .argument(...report)
    .option('--note <text>', 'a note for moderators')
    .action((word, { note }) => review(open(), word, { status: 'rejected', resolution: note }));
}

interface Act {
  readonly action: (typeof moderationActions)[number];
  readonly target_type: (typeof targetTypes)[number];
  readonly reason_code: (typeof reasonCodes)[number];
  readonly source: (typeof moderationSources)[number];
}

async function act(
  context: Context,
  taken: Act & {
    readonly target: string;
    readonly text?: string | undefined;
    readonly report?: string | undefined;
  },
): Promise<void> {
  const { target, text: reason_text, report: report_id, ...rest } = taken;
  const target_id = idOf(target, 'an object');
  const client = await context.client();
  const answer = await client.createModerationAction(
    { ...rest, target_id, reason_text, report_id },
    { idempotencyKey: context.key() },
  );
  await context.output.answer(answer, () => [`Done: ${answer.action} as ${answer.id}.`]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  defineReports(command, open);
  command
    .command('act')
    .description('Act on an article, a comment, an account or a file. The author is notified.')
    .addArgument(new Argument('<action>', 'what to do').choices(moderationActions))
    .addArgument(new Argument('<type>', 'of what').choices(targetTypes))
    .argument('<target>', 'its id')
    .addOption(oneOf('--reason <code>', 'the reason', reasonCodes).makeOptionMandatory())
    .option('--text <text>', 'an explanation that the author reads')
    .option('--report <report>', 'the report that it decides')
    .addOption(oneOf('--source <source>', 'why you looked at it', moderationSources))
    .action((action, target_type, target, { reason: reason_code, source, ...rest }) =>
      act(open(), {
        action,
        target_type,
        target,
        reason_code,
        source: source ?? (rest.report === undefined ? 'proactive' : 'report'),
        ...rest,
      }),
    );
  addExamples(command, [
    ['colophon moderate reports', 'List open reports, oldest first'],
    ['colophon moderate claim REPORT_ID', 'Claim one'],
    ['colophon moderate show REPORT_ID', 'See what it is about'],
    [
      'colophon moderate act hide article OTHER_ARTICLE_ID --reason spam --report REPORT_ID',
      'Decide it with an action',
    ],
    ['colophon moderate reject OTHER_REPORT_ID --note "No spam."', 'Or close it'],
  ]);
}
