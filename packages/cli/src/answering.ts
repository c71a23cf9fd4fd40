// Comments and replies share their text, their stance and what is printed.
import { stances } from '@colophon/contract';
import type { BodyAnswer, CallOptions, Client } from '@colophon/sdk';
import type { Command } from '@commander-js/extra-typings';
import { textOfFile, textOfInput } from './api/values.ts';
import type { Open } from './command.ts';
import type { Context } from './context.ts';
import { misuse } from './failures.ts';
import { oneOf } from './words.ts';

/** What a comment or a reply is sent with. */
interface Answer {
  readonly content: string;
  readonly stance: (typeof stances)[number] | undefined;
  readonly dry_run: true | undefined;
}

export interface Answering {
  /** Returns the id of what is answered. */
  readonly targetOf: (context: Context, word: string) => Promise<string> | string;
  readonly send: (
    client: Client,
    answer: Answer & { readonly id: string },
    options: CallOptions,
  ) => Promise<BodyAnswer<'createComment'>>;
}

/**
 * A text of others that begins with a hyphen is taken for an option. Of these, `--file=FILE` would publish a file
 * of this computer: only `--file FILE`, two words, names one.
 */
function refuseGluedFile(words: readonly string[]): void {
  const end = words.indexOf('--');
  const before = words.slice(0, end === -1 ? words.length : end);
  if (!before.some((word) => word.startsWith('--file='))) return;
  throw misuse(
    '--file and the name of the file must be two words.',
    'Write `--file FILE`. Put `--` before a text that begins with a hyphen.',
  );
}

const help = `
The text is Markdown. A program passes texts of others on standard input, or behind \`--\`:
a text that begins with a hyphen would be taken for an option.`;

/**
 * Adds the text, its options and the work of a command whose first argument names what is answered.
 * @param words the arguments of the program
 */
export function defineAnswer(
  command: Command<[string]>,
  open: Open,
  words: readonly string[],
  { targetOf, send }: Answering,
): void {
  command
    .argument('[text]', 'Markdown; standard input if it is - or left out')
    .option('--file <file>', 'read the text from this file')
    .addOption(oneOf('--stance <stance>', 'your stance', stances))
    .option('--dry-run', 'check everything and change nothing')
    .addHelpText('after', help)
    .action(async (word, text, { file, stance, dryRun: dry_run }) => {
      refuseGluedFile(words);
      const context = open();
      const id = await targetOf(context, word);
      const content = await commentText(context, text, file);
      const client = await context.client();
      const idempotencyKey = context.key();
      const comment = await send(client, { id, content, stance, dry_run }, { idempotencyKey });
      await printCreated(context, comment, dry_run === true);
    });
}

/** Prints a comment that was created. */
async function printCreated(
  { output }: Context,
  comment: BodyAnswer<'createComment'>,
  isTrial: boolean,
): Promise<void> {
  await output.answer(comment, () => [
    isTrial ? 'It would be accepted. Nothing was sent to anyone.' : comment.id,
  ]);
}

/**
 * Returns the text of a comment: the argument as it is, the content of --file, or standard input. The argument
 * itself never names a file, even if it begins with `@`, because a program may pass on a text of others.
 */
async function commentText(
  { terminal }: Context,
  word: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (word !== undefined && file !== undefined)
    throw misuse('The text is given twice.', 'Leave out the text or --file.');
  if (file !== undefined) return textOfFile(terminal, file);
  return word === undefined || word === '-' ? textOfInput(terminal) : word;
}
