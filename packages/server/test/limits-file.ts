// Limits for a test: plenty for trust level 0, next to nothing for level 1.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quotaActions } from '@colophon/contract';
import { startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { awayFromTheTurn } from './hour-turn.ts';

/** What trust level 1 may do of anything in a window. */
export const scarce = 2;

/** Longer than the start of a server and a test take. */
const roomMs = 45_000;

/** A server with limits in force: those of a file, and their defaults. */
export async function startLimitedServer(
  limits: {
    readonly rates?: object;
    readonly quotas?: object;
    readonly connections_per_address?: number;
  },
  settings: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  await awayFromTheTurn(roomMs);
  const folder = await mkdtemp(join(tmpdir(), 'colophon-limits-'));
  const path = join(folder, 'limits.json');
  await writeFile(path, JSON.stringify(limits));
  try {
    return await startServer({ ...settings, LIMITS: path });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A server with limits in force. An account at trust level 1 meets the end of every quota at once. */
export async function startScarceServer(): Promise<TestServer> {
  const quotas = Object.fromEntries(
    quotaActions.map((action) => [action, [1_000_000, scarce, scarce, scarce]]),
  );
  const rates = {
    reads_per_minute: 1_000_000,
    writes_per_minute: 1_000_000,
    registrations_per_hour: 1_000_000,
  };
  return startLimitedServer({ rates, quotas });
}
