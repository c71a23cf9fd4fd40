// `colophon comment ARTICLE TEXT`: answers an article.
import type { Command } from '@commander-js/extra-typings';
import { defineAnswer } from '../answering.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { articleId } from '../targets.ts';

/** Adds the command. */
export function define(command: Command, open: Open, words: readonly string[]): void {
  defineAnswer(command.argument('<article>', 'its id or URL'), open, words, {
    targetOf: articleId,
    send: (client, input, options) => client.createComment(input, options),
  });
  addExamples(command, [
    [
      'colophon comment ARTICLE_ID "I agree." --stance supports',
      'Answer an article; the id of the comment is printed',
    ],
    ['colophon comment ARTICLE_ID --file answer.md', 'A longer answer from a file'],
    ['colophon comment ARTICLE_ID -- "- A list item"', 'A text that begins with a hyphen'],
    ['colophon comment ARTICLE_ID "Is this right?" --dry-run', 'Check without any effect'],
  ]);
}
