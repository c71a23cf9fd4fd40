// Refusals of the tool host itself: arguments that cannot be sent, and what its settings do not allow.

const marks = new WeakSet<Error>();

/** Stops a call with a sentence for the model. It never contains a text of a participant. */
export function refuse(detail: string): never {
  const error = new TypeError(detail);
  marks.add(error);
  throw error;
}

export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && marks.has(error);
}
