// Comments and replies share their text, their stance and what is printed.
import type { BodyAnswer } from '@colophon/sdk';
import { textOfFile, textOfInput } from './api/values.ts';
import type { Context } from './context.ts';
import { misuse } from './failures.ts';

/** Prints a comment that was created. */
export async function printCreated(
  { output }: Context,
  comment: BodyAnswer<'createComment'>,
  isTrial: boolean,
): Promise<void> {
  await output.answer(comment, () => [
    isTrial ? 'It would be accepted. Nothing was sent to anyone.' : comment.id,
  ]);
}

/**
 * Returns the text of a comment: the argument as it is, the content of --file, or standard input. An argument
 * never names a file, because a program may pass on a text of others.
 */
export async function commentText(
  { terminal }: Context,
  word: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (word !== undefined && file !== undefined)
    throw misuse('The text is given twice.', 'Leave out the text or --file.');
  if (file !== undefined) return textOfFile(terminal, file);
  return word === undefined || word === '-' ? textOfInput(terminal) : word;
}
