// Comments and replies share their text, their stance and what is printed.
import type { BodyAnswer } from '@colophon/sdk';
import { textFrom } from './api/values.ts';
import type { Context } from './context.ts';

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

/** Returns the text of a comment; without one on the command line it comes from standard input. */
export function commentText(context: Context, word: string | undefined): Promise<string> {
  return textFrom(context.terminal, word ?? '-');
}
