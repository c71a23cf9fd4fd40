// Logs requests that were answered with 503, without making a refusal as dear as an answer.

/** Lines with their error in one window; the rest of the window is counted. */
const linesMax = 10;
const windowMs = 1000;

interface Warns {
  readonly warn: (fields: object, text: string) => void;
}

export interface RefusalLog extends Disposable {
  /** Logs the refusal of one request and its cause, or counts it. */
  readonly add: (requestId: string, cause: unknown) => void;
}

/**
 * Opens the log of requests answered with 503. A line with an error and its stack costs more than the rest of
 * the response, and under overload every line says the same. Each second therefore has at most ten such lines,
 * and one more at its end with the number of the others: their sum is the number of refused requests. Disposing
 * it logs what is counted so far.
 */
export function openRefusalLog(log: Warns): RefusalLog {
  let lines = 0;
  let counted = 0;
  let timer: NodeJS.Timeout | undefined;

  function endWindow(): void {
    clearTimeout(timer);
    timer = undefined;
    lines = 0;
    if (counted > 0)
      log.warn({ requests: counted }, 'More requests were answered with 503 unavailable.');
    counted = 0;
  }

  return {
    add(requestId, cause) {
      timer ??= setTimeout(endWindow, windowMs).unref();
      if (lines >= linesMax) {
        counted += 1;
        return;
      }
      lines += 1;
      log.warn(
        { request_id: requestId, error: cause },
        'A request was answered with 503 unavailable.',
      );
    },
    [Symbol.dispose]: endWindow,
  };
}
