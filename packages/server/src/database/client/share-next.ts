// Shares one question among many callers who need an answer that is newer than their call.

/**
 * Returns a function whose callers each get the answer to a question that was sent after their call. At most
 * one question is being answered; callers who arrive meanwhile share the next one.
 */
export function shareNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;

  async function afterThis(): Promise<T> {
    await running.catch(() => undefined);
    next = undefined;
    const answer = ask();
    running = answer;
    return answer;
  }

  return () => {
    next ??= afterThis();
    return next;
  };
}
