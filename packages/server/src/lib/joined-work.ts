// Lets requests that want the same at the same time share one read.

interface Turn {
  /** Resolves when the work ended, however it ended. */
  readonly ended: Promise<void>;
  next: Promise<unknown> | undefined;
}

/**
 * Returns a function that runs `work`. While one with the same key runs, all others wait for it to end and then
 * share one run: what each of them gets was read after it asked, as if it had asked alone.
 */
export function joinedWork(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<string, Turn>();

  function begin<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = work();
    const end = () => {
      if (turn.next === undefined) turns.delete(key);
    };
    const turn: Turn = { ended: result.then(end, end), next: undefined };
    turns.set(key, turn);
    return result;
  }

  return <T>(key: string, work: () => Promise<T>) => {
    const turn = turns.get(key);
    if (turn === undefined) return begin(key, work);
    turn.next ??= turn.ended.then(() => begin(key, work));
    // One key, one kind of work.
    return turn.next as Promise<T>;
  };
}
