// Downloads an export into a file: continues where an earlier download ended, and never keeps it in memory.
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createClient } from '@colophon/sdk';
import type { ClientOptions } from '@colophon/sdk';
import { refusal } from './source.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

interface Service {
  readonly url: string;
  readonly token?: string | undefined;
}

interface Wanted {
  readonly id: string;
  readonly byte_size: number | null;
}

export interface Downloading {
  readonly file: string;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (bytes: number) => void;
}

/** The file of a download. */
interface Storing {
  readonly file: FileHandle;
  readonly onProgress: Downloading['onProgress'];
  /** Ends the download: a disk that is full does not take the bytes of a repetition either. */
  readonly fail: (error: unknown) => void;
}

/** Ends a connection on which nothing arrives. */
const idleMs = 60_000;
const attempts = 10;

/** Returns the offset of the bytes of a response in the archive. */
function offsetOf(response: Response): number {
  const [, start] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
  return response.status === 206 && start !== undefined ? Number(start) : 0;
}

async function store(response: Response, { file, onProgress, fail }: Storing): Promise<void> {
  let at = offsetOf(response);
  await file.truncate(at).catch(fail);
  for await (const chunk of response.body ?? []) {
    await file.write(chunk, 0, chunk.byteLength, at).catch(fail);
    at += chunk.byteLength;
    onProgress(at);
  }
}

/** Sends a request for the missing bytes, and writes them. The client sees an answer without them. */
function intoFile(storing: Storing, { id }: Wanted): Fetch {
  return async (address, init) => {
    const { size } = await storing.file.stat();
    const headers = new Headers(init?.headers);
    if (size > 0) {
      headers.set('range', `bytes=${size}-`);
      headers.set('if-range', `"${id}"`);
    }
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(new Error('nothing arrived for a minute')), idleMs);
    const signals = [idle.signal, ...(init?.signal ? [init.signal] : [])];
    try {
      const signal = AbortSignal.any(signals);
      const response = await globalThis.fetch(address, { ...init, headers, signal });
      if (!response.ok) return response;
      const onProgress = (bytes: number) => {
        timer.refresh();
        storing.onProgress(bytes);
      };
      await store(response, { ...storing, onProgress });
      return new Response(null, { status: 200, headers: { 'content-type': 'application/zip' } });
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Downloads an export. After a lost connection it continues with the missing bytes, also in a later call with
 * the same file.
 *
 * @throws ProblemError as readExportContent does; a refusal for a file of another length; the error of the platform
 * if the file cannot be written
 */
export async function download(
  service: Service,
  wanted: Wanted,
  options: Downloading,
): Promise<void> {
  // Only for its owner: an archive contains drafts and private articles.
  const file = await open(options.file, 'a+', 0o600).then(async (made) => {
    await made.close();
    return open(options.file, 'r+');
  });
  const ending = new AbortController();
  const fail = (error: unknown) => {
    ending.abort(error);
    throw error;
  };
  try {
    if ((await file.stat()).size !== wanted.byte_size) {
      const client = createClient({
        baseUrl: service.url,
        token: service.token,
        signal: AbortSignal.any([ending.signal, ...(options.signal ? [options.signal] : [])]),
        fetch: intoFile({ file, onProgress: options.onProgress, fail }, wanted),
        // The time limit of a request would end a long download; an idle connection ends on its own.
        retry: { attempts, timeoutMs: 0 },
      });
      await client.readExportContent({ id: wanted.id });
    }
    const { size } = await file.stat();
    if (size !== wanted.byte_size)
      throw refusal(`The download has ${size} bytes in place of ${wanted.byte_size ?? 0}.`);
  } finally {
    await file.close();
  }
}
