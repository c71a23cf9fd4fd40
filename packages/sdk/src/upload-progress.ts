// The body of an upload that reports how much of it was sent.

export interface UploadProgress {
  /** Bytes handed to the network so far; the last call has `sent` equal to `total`. */
  readonly sent: number;
  readonly total: number;
}

/** Bytes of one report. */
const pieceBytes = 65_536;

/**
 * Whether a stream can be sent with a Content-Length, which the service requires: in Node.js and Bun. Browsers,
 * Deno and Cloudflare Workers send a stream in chunks.
 */
function canStream(): boolean {
  const place = globalThis as { readonly process?: { readonly versions?: { node?: unknown } } };
  const isNode = place.process?.versions?.node !== undefined;
  return isNode && !('Deno' in globalThis) && !('WebSocketPair' in globalThis);
}

export interface ReportingBody {
  /** What `fetch` is given. */
  readonly init: RequestInit;
  /** Reports the end where the run time could not report the way there. */
  readonly finish: () => void;
}

/**
 * Returns the body of an upload that reports its progress. Where the run time cannot stream it, it reports the
 * beginning and the end.
 */
export function reportingBody(
  bytes: Blob | Uint8Array<ArrayBuffer>,
  headers: Headers,
  report: (progress: UploadProgress) => void,
): ReportingBody {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes]);
  const total = blob.size;
  let sent = 0;
  const add = (count: number) => {
    sent += count;
    report({ sent, total });
  };
  add(0);
  const finish = () => {
    if (sent < total) add(total - sent);
  };
  if (total === 0 || !canStream()) return { init: { body: blob }, finish };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const part = await blob.slice(sent, sent + pieceBytes).arrayBuffer();
        controller.enqueue(new Uint8Array(part));
        add(part.byteLength);
        if (sent >= total) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const counted = new Headers(headers);
  counted.set('content-length', String(total));
  // `duplex` is required with a stream, and missing in the types of browsers.
  const init: RequestInit & { readonly duplex: 'half' } = {
    body: stream,
    headers: counted,
    duplex: 'half',
  };
  return { init, finish };
}
