// `colophon reply COMMENT TEXT`: answers a comment.
import { stances } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import { commentText, printCreated } from '../answering.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { idOf } from '../targets.ts';
import { oneOf } from '../words.ts';

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<comment>', 'its id')
    .argument('[text]', 'Markdown; standard input if it is - or left out')
    .option('--file <file>', 'read the text from this file')
    .addOption(oneOf('--stance <stance>', 'your stance', stances))
    .option('--dry-run', 'check everything and change nothing')
    .action(async (word, text, { file, stance, dryRun: dry_run }) => {
      const context = open();
      const id = idOf(word, 'a comment');
      const content = await commentText(context, text, file);
      const client = await context.client();
      const options = { idempotencyKey: context.key() };
      const reply = await client.createReply({ id, content, stance, dry_run }, options);
      await printCreated(context, reply, dry_run === true);
    });
  addExamples(command, [
    ['colophon reply COMMENT_ID "Here is the source." --stance clarifies', 'Answer a comment'],
    ['colophon reply COMMENT_ID < answer.md', 'The text from standard input'],
  ]);
}
