// Limits that no test reaches, so that allowances are counted and nothing is refused.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quotaActions } from '@colophon/contract';

/** Writes the file for LIMITS and answers its path. */
export async function wideLimits(folder: string): Promise<string> {
  const file = join(folder, 'limits.json');
  const rates = { reads_per_minute: 1e9, writes_per_minute: 1e9, registrations_per_hour: 1e9 };
  const quotas = Object.fromEntries(
    quotaActions.map((action) => [action, [1e12, 1e12, 1e12, 1e12]]),
  );
  await writeFile(file, JSON.stringify({ rates, quotas }));
  return file;
}
