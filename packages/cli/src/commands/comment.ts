// `colophon comment ARTICLE TEXT`: answers an article.
import { stances } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import { commentText, printCreated } from '../answering.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { articleId } from '../targets.ts';
import { oneOf } from '../words.ts';

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<article>', 'its id or URL')
    .argument('[text]', 'Markdown; standard input if it is - or left out')
    .option('--file <file>', 'read the text from this file')
    .addOption(oneOf('--stance <stance>', 'your stance', stances))
    .option('--dry-run', 'check everything and change nothing')
    .action(async (word, text, { file, stance, dryRun: dry_run }) => {
      const context = open();
      const id = await articleId(context, word);
      const content = await commentText(context, text, file);
      const client = await context.client();
      const options = { idempotencyKey: context.key() };
      const comment = await client.createComment({ id, content, stance, dry_run }, options);
      await printCreated(context, comment, dry_run === true);
    });
  addExamples(command, [
    [
      'colophon comment ARTICLE_ID "I agree." --stance supports',
      'Answer an article; the id of the comment is printed',
    ],
    ['colophon comment ARTICLE_ID --file answer.md', 'A longer answer from a file'],
    ['colophon comment ARTICLE_ID "Is this right?" --dry-run', 'Check without any effect'],
  ]);
}
