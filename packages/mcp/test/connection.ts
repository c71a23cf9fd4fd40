// Connections of the official client to the tool host: in this process, and to the program over stdio.
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { CallToolResult, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../server/test/compile-cache.ts';
import { serve } from '../src/stdio.ts';
import { readSettings } from '../src/settings.ts';

/** The newest published revision of the protocol, and the one before. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

export const source = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The content of any tool. */
// oxlint-disable-next-line typescript/no-explicit-any -- it differs from tool to tool
export type Content = Record<string, any>;

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
}

/** A client that speaks one revision and accepts no other. */
function clientOf(revision: Revision): Client {
  const versionNegotiation =
    revision === '2025-11-25' ? { mode: 'legacy' as const } : { mode: { pin: revision } };
  return new Client({ name: 'test', version: '1' }, { versionNegotiation });
}

async function connectOver(transport: Transport, revision: Revision): Promise<Connection> {
  const client = clientOf(revision);
  await client.connect(transport);
  return {
    client,
    call: (name, args = {}) =>
      client.callTool({ name, arguments: args }) as Promise<CallToolResult>,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Connects to a tool host in this process, over the messages of stdio. */
export function connect(
  env: Environment,
  args: readonly string[] = [],
  revision: Revision = '2026-07-28',
): Promise<Connection> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  serve(readSettings(args, env), theirs);
  return connectOver(ours, revision);
}

interface Started {
  readonly revision?: Revision;
  /** Default: from the source, with this version of Node.js. */
  readonly program?: string;
  readonly node?: string;
}

/** Connects to the program over its standard input and output. */
export function connectProgram(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  { revision = '2026-07-28', program = source, node = process.execPath }: Started = {},
): Promise<Connection> {
  const transport = new StdioClientTransport({
    command: node,
    args: [program, ...args],
    env: { ...env, ...compileCache, PATH: process.env['PATH'] ?? '' },
    stderr: 'pipe',
  });
  return connectOver(transport, revision);
}

/** Connects over HTTP, with the token in the header of every request. */
export function connectHttp(
  url: string,
  token: string | undefined,
  revision: Revision = '2026-07-28',
): Promise<Connection> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return connectOver(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    revision,
  );
}

/** Returns the text of a result: of its first part, or of all. */
export function textOf({ content }: CallToolResult, index = 0): string {
  const part = content[index];
  return part?.type === 'text' ? part.text : '';
}

/** Returns the structured content of a result; empty if it has none. */
export function contentOf({ structuredContent = {} }: CallToolResult): Content {
  return structuredContent as Content;
}
