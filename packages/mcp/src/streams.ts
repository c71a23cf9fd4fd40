// Streams of events over HTTP: how many are open, and when one ends.

function refusalOf(status: 429 | 503, message: string): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  return Response.json(body, { status, headers: { 'retry-after': '60' } });
}

/** Answers that a limit for all callers is reached. */
export function overloadedResponse(message: string): Response {
  return refusalOf(503, message);
}

/** Whether a response is a stream of events, which can stay open. */
function isStream({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/**
 * Calls `ended` once: when a stream has been read to its end or its reader has left, and at once if the response
 * is not a stream.
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

/** Opens a stream for the caller with a token, or answers 503 or 429. */
export type OpenStream = (
  token: string | undefined,
  open: () => Promise<Response>,
) => Promise<Response>;

export interface StreamLimits {
  readonly streams: number;
  readonly streamsPerCaller: number;
}

/** Returns a function that opens streams, up to the limits. Callers without a token count as one. */
export function countStreams({ streams, streamsPerCaller }: StreamLimits): OpenStream {
  const counts = new Map<string, number>();
  let all = 0;
  const add = (caller: string, more: 1 | -1) => {
    all += more;
    const count = (counts.get(caller) ?? 0) + more;
    if (count === 0) counts.delete(caller);
    else counts.set(caller, count);
  };
  return async (token, open) => {
    const caller = token ?? '';
    if ((counts.get(caller) ?? 0) >= streamsPerCaller)
      return refusalOf(
        429,
        token === undefined
          ? `Callers without a token have ${streamsPerCaller} open streams together, the most that this tool host allows. Send a token, or try again later.`
          : `This token has ${streamsPerCaller} open streams, the most that this tool host allows. Close one before you open another.`,
      );
    if (all >= streams) return overloadedResponse('Too many streams are open. Try again later.');
    add(caller, 1);
    try {
      return untilEnd(await open(), () => add(caller, -1));
    } catch (error) {
      add(caller, -1);
      throw error;
    }
  };
}
