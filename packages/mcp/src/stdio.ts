// The tool host over stdio: one connection, whose caller is the operator of this process.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { Transport } from '@modelcontextprotocol/server';
import { createHost } from './host.ts';
import { clientFor } from './service.ts';
import type { Settings } from './settings.ts';
import { toolsFor } from './tools/tasks.ts';

/** Serves the connection of a transport, by default the process's own standard input and output. */
export function serve(settings: Settings, transport?: Transport): StdioServerHandle {
  const { baseUrl, token, keyFile, uploadFolder } = settings;
  const tools = toolsFor(settings.choice);
  const caller = { client: clientFor(baseUrl, token), keyFile, uploadFolder };
  return serveStdio(
    () => createHost({ caller, tools }),
    transport === undefined ? {} : { transport },
  );
}
