// What a file in commands/ exports, and how commands show examples.
import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** Opens the context of the invocation. Called when a command runs, not when its help is shown. */
export type Open = () => Context;

export interface CommandFile {
  /**
   * Adds arguments, options, examples and the action to the command.
   * @param words the arguments of the program, for commands that define only what they name
   */
  define(command: Command, open: Open, words: readonly string[]): void;
}

/** A command line with one sentence about it. Words in capitals, such as ARTICLE_ID, stand for values. */
export type Example = readonly [line: string, says: string];

interface Helped {
  readonly addHelpText: (position: 'after', text: string) => unknown;
}

/** Adds examples below the help of a command. A test runs each of them. */
export function addExamples(command: Helped, list: readonly Example[]): void {
  const lines = list.flatMap(([line, says]) => [`  # ${says}`, `  $ ${line}`, '']);
  command.addHelpText('after', ['', 'Examples:', ...lines.slice(0, -1)].join('\n'));
}
