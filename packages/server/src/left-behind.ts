// Processes that outlived their supervisor because they hang: where they are recorded, and their end at a start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config';
import type { openLog } from './log.ts';

/**
 * Returns the file that names the processes of a supervisor. Several services on one external database may
 * share a data folder; on the embedded one there is one.
 */
export function pidFileOf({ dataDir, databaseUrl, role, port }: Config): string {
  const own = role === 'worker' ? 'worker' : port;
  return join(dataDir, databaseUrl === undefined ? 'server.processes' : `server.processes.${own}`);
}

/**
 * Ends what an earlier supervisor left behind. Its code is loaded only if there is such a file.
 * @throws Error with a message for the operator: a process does not end
 */
export async function endLeftBehind(
  config: Config,
  log: ReturnType<typeof openLog>,
): Promise<void> {
  const file = pidFileOf(config);
  if (existsSync(file)) await (await import('#processes')).endLeftBehind(file, log);
}
