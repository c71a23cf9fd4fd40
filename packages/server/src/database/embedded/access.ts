// Access to the embedded database: the user that runs the service, and root, verified by the kernel.

import { chmod, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from './replace-file.ts';
import type { RunUser } from './run-user.ts';

const MAP = 'colophon';

/** The user of the connecting process, which is this one. PostgreSQL identifies users by their name. */
function namesAllowed(): readonly string[] {
  return [...new Set([userInfo().username, 'root'])];
}

const hba = `# Written by Colophon at each start.
local all all peer map=${MAP}
`;

function ident(): string {
  const lines = namesAllowed().map((name) => `${MAP} "${name.replaceAll('"', '""')}" all\n`);
  return `# Written by Colophon at each start.\n${lines.join('')}`;
}

async function write(file: string, text: string, user: RunUser): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await replaceFile(file, text, user.switched ? user : undefined);
}

/**
 * Sets who may connect. It also restricts a folder of an earlier version, which allowed every local user that
 * could reach the socket. Call it before PostgreSQL starts on the folder.
 */
export async function restrictAccess(folder: string, user: RunUser): Promise<void> {
  await write(join(folder, 'pg_ident.conf'), ident(), user);
  await write(join(folder, 'pg_hba.conf'), hba, user);
  await chmod(folder, 0o700);
}
