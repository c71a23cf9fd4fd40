// The client of the service for one caller, and the problem documents as the service wrote them.
import { createClient } from '@colophon/sdk';
import type { Client, ProblemError } from '@colophon/sdk';
import { logError } from './log.ts';

export const version = '0.1.0';

const documents = new WeakMap<Headers, string>();

/** Fetches as `fetch` does, and keeps the text of a problem document, which the client parses. */
const keepingProblems: typeof globalThis.fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json')) return response;
  const text = await response.text();
  const { status, headers } = response;
  const again = new Response(text, { status, headers });
  documents.set(again.headers, text);
  return again;
};

interface Document {
  /** Byte for byte as the service wrote it, or as the client did where the service wrote none. */
  readonly text: string;
  readonly members: Record<string, unknown>;
}

/** Says in the words of the tool host what the service did not say. */
function detailOf({ source, problem: { status } }: ProblemError): string {
  const check = 'The operator of this tool host checks COLOPHON_URL; its log has the details.';
  if (source === 'network') return `No complete response arrived from the service. ${check}`;
  return status >= 300 && status < 400
    ? `The address of the service redirects. ${check}`
    : `A response with status ${status} came from a server before the service. ${check}`;
}

/**
 * Returns the problem document of an error. Of a problem that the service did not write, it contains no text of
 * the response: that could be a page of anybody.
 */
export function documentOf(error: ProblemError): Document {
  const { headers, source, problem } = error;
  const { name: _, ...members } = problem;
  if (source === 'service') {
    const written = headers === undefined ? undefined : documents.get(headers);
    return { text: written ?? JSON.stringify(members), members };
  }
  logError(error);
  const { type, title, status, retry_after_seconds: wait } = problem;
  const own = { type, title, status, detail: detailOf(error) };
  const shown = wait === undefined ? own : { ...own, retry_after_seconds: wait };
  return { text: JSON.stringify(shown), members: shown };
}

/** Returns a client that sends this token and nothing else that identifies the caller. */
export function clientFor(baseUrl: string, token: string | undefined): Client {
  return createClient({
    baseUrl,
    token,
    fetch: keepingProblems,
    userAgent: `colophon-mcp/${version}`,
  });
}
