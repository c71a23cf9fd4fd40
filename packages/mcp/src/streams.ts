// Streams of events over HTTP: how many are open, and when one ends.

/** Answers that a limit is reached. */
export function overloaded(message: string): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  return Response.json(body, { status: 503, headers: { 'retry-after': '60' } });
}

/** Whether a response is a stream of events, which can stay open. */
function isStream({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/**
 * Calls `ended` once: when a stream has been read to its end or its reader has left, and at once if the response
 * is no stream.
 */
export function untilEnd(response: Response, ended: () => void): Response {
  const { body, status, headers } = response;
  if (!isStream(response) || body === null) {
    ended();
    return response;
  }
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    // The headers leave with the first bytes. A stream without events would send none for 15 seconds.
    start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      ended();
    },
    cancel: async (reason) => {
      ended();
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status, headers });
}

/** Opens a stream, or answers 503. */
export type OpenStream = (open: () => Promise<Response>) => Promise<Response>;

/** Returns a function that opens streams, at most `max` at the same time. */
export function countStreams(max: number): OpenStream {
  let count = 0;
  const release = () => {
    count -= 1;
  };
  return async (open) => {
    if (count >= max) return overloaded('Too many streams are open. Try again later.');
    count += 1;
    try {
      return untilEnd(await open(), release);
    } catch (error) {
      release();
      throw error;
    }
  };
}
