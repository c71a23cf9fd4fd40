// The tool host over stdio: one connection, whose caller is the operator of this process.
import { pipeline } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { limits } from '@colophon/contract';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  ProtocolError,
} from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { acceptSubscriptions, createHost } from './host.ts';
import { logError } from './log.ts';
import { messageLines } from './messages.ts';
import { clientFor } from './service.ts';
import type { Settings } from './settings.ts';
import { createSubscriptions, listenedBy } from './subscriptions.ts';
import type { Subscriptions } from './subscriptions.ts';
import { toolsFor } from './tools/tasks.ts';

/** Adds what a subscriptions/listen request names, and removes what is cancelled. */
async function subscribe(subscriptions: Subscriptions, message: JSONRPCMessage): Promise<void> {
  const listen = listenedBy(message);
  if (listen !== undefined) await subscriptions.add(listen.id, listen.uris);
  if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
    subscriptions.remove(message.params?.['requestId']);
}

/**
 * The library answers subscriptions/listen (revision 2026-07-28) itself. This starts to watch events before it
 * does, and answers the problem of a caller that cannot read events in its place.
 */
function watchSubscriptions(transport: Transport, subscriptions: Subscriptions): Transport {
  const outer: Transport = {
    start: () => transport.start(),
    send: (message, options) => transport.send(message, options),
    close: () => transport.close(),
  };
  const receive = async (message: JSONRPCMessage) => {
    try {
      await subscribe(subscriptions, message);
      outer.onmessage?.(message);
    } catch (error) {
      if (!(error instanceof ProtocolError) || !isJSONRPCRequest(message)) throw error;
      const { code, message: title, data } = error;
      await transport.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code, message: title, data },
      });
    }
  };
  transport.onmessage = (message: JSONRPCMessage) => {
    receive(message).catch((error: unknown) => outer.onerror?.(error as Error));
  };
  transport.onerror = (error) => outer.onerror?.(error);
  transport.onclose = () => {
    subscriptions.stop();
    outer.onclose?.();
  };
  return outer;
}

/** A message with the largest file that the service takes, in base64. */
const maxBufferSize = Math.ceil((limits.media_bytes_max * 4) / 3) + 65_536;

/** The library’s transport leaves a line that is not a message without an answer, so it does not read the lines itself. */
function openStdio(input: Readable, output: Writable): Transport {
  const lines = messageLines({
    receive: (message) => transport.onmessage?.(message),
    // The library’s type of an error has no null as its id.
    refuse: (fault) => void transport.send(fault as unknown as JSONRPCMessage).catch(logError),
    maxBytes: maxBufferSize,
  });
  const transport = new StdioServerTransport(lines, output);
  const outer: Transport = {
    start: async () => {
      await transport.start();
      // Its errors are those of the lines, which the transport reports.
      pipeline(input, lines, () => {});
    },
    send: (message) => transport.send(message),
    close: () => transport.close(),
  };
  transport.onmessage = (message) => outer.onmessage?.(message);
  transport.onerror = (error) => outer.onerror?.(error);
  transport.onclose = () => {
    lines.destroy();
    outer.onclose?.();
  };
  return outer;
}

/** Serves the connection of a transport, by default the process’s own standard input and output. */
export function serve(
  { baseUrl, token, keyFile, uploadFolder, choice }: Settings,
  transport: Transport = openStdio(process.stdin, process.stdout),
): StdioServerHandle {
  const tools = toolsFor(choice);
  const client = clientFor(baseUrl, token);
  const caller = { client, isAnonymous: token === undefined, keyFile, uploadFolder };
  let current: Server | undefined;
  const report = (uri: string) => void current?.sendResourceUpdated({ uri }).catch(logError);
  const subscriptions = createSubscriptions(client, report, logError);
  const factory = ({ era }: { readonly era: 'legacy' | 'modern' }): Server => {
    current = createHost({ caller, tools });
    if (era === 'legacy') acceptSubscriptions(current, client);
    return current;
  };
  return serveStdio(factory, {
    transport: watchSubscriptions(transport, subscriptions),
    onerror: logError,
  });
}
