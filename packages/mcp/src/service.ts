// The client of the service for one caller, and the problem documents as the service wrote them.
import { createClient } from '@colophon/sdk';
import type { Client, ProblemError } from '@colophon/sdk';

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

/** Returns the problem document of an error. */
export function documentOf({ headers, source, problem }: ProblemError): Document {
  const { name: _, ...members } = problem;
  const written = headers === undefined ? undefined : documents.get(headers);
  const isService = source === 'service' && written !== undefined;
  return { text: isService ? written : JSON.stringify(members), members };
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
