// Errors of jobs, in a form whose text the queue can store.

/**
 * Returns the error, or one with a text that PostgreSQL takes. The library writes the text of a failure with the
 * failure: if the database refuses it, its runner gives up, with all of its jobs, and nothing is recorded. A text may
 * contain what a participant wrote, cut anywhere.
 */
export function storable(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  const stored = text.toWellFormed().replaceAll('\0', '\ufffd');
  if (error instanceof Error && stored === text) return error;
  return new Error(stored, { cause: error });
}

/** Passes on the result of `work`; what it throws can be stored. */
export function failStorably<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw storable(error);
  });
}
