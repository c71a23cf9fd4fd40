// The messages of standard input, one on each line. A malformed line is answered: its sender may wait for that.
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { parseJSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** What a malformed line is answered with. The id is null if it cannot be read. */
export interface LineFault {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export interface LineReader {
  readonly receive: (message: JSONRPCMessage) => void;
  readonly refuse: (fault: LineFault) => void;
  /** The longest line, in bytes. */
  readonly maxBytes: number;
}

const faultOf = (code: number, message: string, id: LineFault['id'] = null): LineFault => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const unreadable = faultOf(
  ProtocolErrorCode.ParseError,
  'Parse error: the line is not JSON in UTF-8. Send each message on a line of its own.',
);

function refusalOf(value: unknown): string {
  if (Array.isArray(value)) return 'send each message on a line of its own, not as a batch.';
  // JSON-RPC 2.0 allows them as an array, the protocol does not.
  const { params } = Object(value) as { readonly params?: unknown };
  return Array.isArray(params)
    ? 'params is an object with names, not an array.'
    : 'this is not a message of JSON-RPC 2.0.';
}

/** Returns the answer to JSON that is not a message; undefined for what is itself an answer, which has none. */
function faultIn(value: unknown): LineFault | undefined {
  const { id, method, result, error } = Object(value) as Readonly<Record<string, unknown>>;
  if (method === undefined && (result !== undefined || error !== undefined)) return undefined;
  const isId = typeof id === 'string' || Number.isSafeInteger(id);
  const said = `Invalid request: ${refusalOf(value)}`;
  return faultOf(ProtocolErrorCode.InvalidRequest, said, isId ? (id as string | number) : null);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function readLine(line: Uint8Array, { receive, refuse }: LineReader): void {
  let value: unknown;
  try {
    const text = decoder.decode(line);
    if (text.trim() === '') return;
    // oxlint-disable-next-line no-restricted-properties -- the library checks what becomes a message
    value = JSON.parse(text);
  } catch {
    refuse(unreadable);
    return;
  }
  let message: JSONRPCMessage;
  try {
    message = parseJSONRPCMessage(value);
  } catch {
    const fault = faultIn(value);
    if (fault !== undefined) refuse(fault);
    return;
  }
  receive(message);
}

const lineFeed = 0x0a;

/** Returns a stream that reads the messages which are written to it. Nothing can be read from it. */
export function messageLines(reader: LineReader): Transform {
  let begun: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > reader.maxBytes)
      throw new Error(`A line of standard input has more than ${reader.maxBytes} bytes.`);
    begun.push(part);
  };
  const endLine = () => {
    const line = Buffer.concat(begun);
    [begun, length] = [[], 0];
    readLine(line, reader);
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done: TransformCallback) => {
      try {
        let from = 0;
        for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
          keep(chunk.subarray(from, at));
          endLine();
          from = at + 1;
        }
        keep(chunk.subarray(from));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
