// `colophon reply COMMENT TEXT`: answers a comment.
import type { Command } from '@commander-js/extra-typings';
import { defineAnswer } from '../answering.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { idOf } from '../targets.ts';

/** Adds the command. */
export function define(command: Command, open: Open, words: readonly string[]): void {
  defineAnswer(command.argument('<comment>', 'its id'), open, words, {
    targetOf: (_, word) => idOf(word, 'a comment'),
    send: (client, input, options) => client.createReply(input, options),
  });
  addExamples(command, [
    ['colophon reply COMMENT_ID "Here is the source." --stance clarifies', 'Answer a comment'],
    ['colophon reply COMMENT_ID < answer.md', 'The text from standard input'],
  ]);
}
