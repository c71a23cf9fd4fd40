// Sends bytes as they are and reads the answers, strictly: whatever comes back must be HTTP/1.1.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** Bytes after the last whole answer: none, where the server has no fault. */
  readonly rest: Buffer;
  /** The server closed first, and we did not have to. */
  readonly closedByServer: boolean;
}

interface Parsed {
  readonly answer: RawAnswer;
  readonly end: number;
}

function chunkedEnd(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const next = line + 2 + size + 2;
    if (bytes.length < next) return undefined;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    at = next;
  }
}

function headersOf(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new Error(`The answer has a broken header: ${JSON.stringify(line)}`);
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Where the body starts. */
  readonly at: number;
}

function headAt(bytes: Buffer, start: number): Head | undefined {
  const split = bytes.indexOf('\r\n\r\n', start);
  if (split < 0) return undefined;
  const head = bytes.toString('latin1', start, split);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (Number.isNaN(status))
    throw new Error(`The answer is not HTTP/1.1: ${JSON.stringify(head.slice(0, 200))}`);
  return { status, headers: headersOf(head), at: split + 4 };
}

/** The bytes of a body, as soon as they are whole. */
function bodyAt(bytes: Buffer, { headers, at }: Head): { body: Buffer; end: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunkedEnd(bytes, at);
  const end = at + Number(headers.get('content-length') ?? 0);
  return bytes.length < end ? undefined : { body: bytes.subarray(at, end), end };
}

/** Whether no body follows. What is broken before its method is known has one, and ends the connection. */
function isBare(bytes: Buffer, { status, headers, at }: Head, bodiless: boolean): boolean {
  if (status < 200 || status === 204 || status === 304) return true;
  const length = Number(headers.get('content-length') ?? 0);
  return bodiless && !(headers.get('connection') === 'close' && bytes.length === at + length);
}

/** The answer at `start`, as soon as it is whole. `bodiless`: it answers HEAD. */
function parseOne(bytes: Buffer, start: number, bodiless: boolean): Parsed | undefined {
  const head = headAt(bytes, start);
  if (head === undefined) return undefined;
  const { status, headers, at } = head;
  if (isBare(bytes, head, bodiless))
    return { answer: { status, headers, body: Buffer.alloc(0) }, end: at };
  const found = bodyAt(bytes, head);
  return found && { answer: { status, headers, body: found.body }, end: found.end };
}

function parseAll(bytes: Buffer, bodiless: boolean): { answers: RawAnswer[]; rest: Buffer } {
  const answers: RawAnswer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const parsed = parseOne(bytes, at, bodiless && answers.length === 0);
    if (parsed === undefined) break;
    if (parsed.answer.status >= 200) answers.push(parsed.answer);
    at = parsed.end;
  }
  return { answers, rest: bytes.subarray(at) };
}

export interface Send {
  readonly parts: readonly Buffer[];
  /** `close`: end our side once nothing more comes; `reset`: end at once without reading. */
  readonly ending: 'close' | 'reset';
  /** The first request is HEAD: its answer has no body. */
  readonly bodiless: boolean;
  /** How long nothing comes before we take it that nothing will. */
  readonly quietMs?: number;
}

/** It only guards against waiting for ever. */
const givenUpMs = 300_000;

/**
 * Looks in `quietMs`. They are counted, not the milliseconds: a process that was stopped for seconds finds what came
 * meanwhile after its timers.
 */
const looks = 12;

/** Calls `quiet` once nothing has come for so many looks; `heard` begins again. */
function watchSilence(quietMs: number, quiet: () => void) {
  let silent = 0;
  const timer = setInterval(() => {
    silent += 1;
    if (silent === looks) quiet();
  }, quietMs / looks);
  return { heard: () => (silent = 0), [Symbol.dispose]: () => clearInterval(timer) };
}

/** One connection: the parts go out one by one, then answers are read until either side closes. */
export function exchange(
  port: number,
  { parts, ending, bodiless, quietMs = 120 }: Send,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let closedByServer = false;
    let endedByUs = false;
    const socket: Socket = connect(port, '127.0.0.1');
    const quiet = () => {
      endedByUs = true;
      socket.end();
    };
    const limit = setTimeout(
      () => socket.destroy(new Error(`The connection was open ${givenUpMs} ms after its end.`)),
      givenUpMs,
    );
    let silence: ReturnType<typeof watchSilence> | undefined;
    socket.setNoDelay(true).on('connect', () => {
      for (const part of parts) socket.write(part);
      if (ending === 'reset') socket.resetAndDestroy();
      else silence = watchSilence(quietMs, quiet);
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      silence?.heard();
    });
    socket.on('end', () => (closedByServer = !endedByUs));
    let failure: Error | undefined;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close before it has read everything: what it said before counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') failure = error;
    });
    socket.on('close', () => {
      silence?.[Symbol.dispose]();
      clearTimeout(limit);
      if (failure !== undefined) return reject(failure);
      try {
        resolve({ ...parseAll(Buffer.concat(chunks), bodiless), closedByServer });
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}
