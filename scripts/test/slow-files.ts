// Which test files `npm test` leaves out.

/** All that they contain: each starts a browser, or servers and databases that it kills. */
const slowFolders = ['packages/server/test/browser/', 'packages/server/test/faults/'];

/** Random kills, which `npm test` runs with small numbers. */
const kept: ReadonlySet<string> = new Set([
  'packages/server/test/faults/events.test.ts',
  'packages/server/test/faults/kill-nine.test.ts',
]);

/** Others that start servers or stores of their own, or install packages. */
const slowFiles: ReadonlySet<string> = new Set([
  'packages/cli/test/faults.test.ts',
  'packages/cli/test/package.test.ts',
  'packages/sdk/test/package.test.ts',
  'packages/server/src/areas/log/operator.test.ts',
  'packages/server/src/database/embedded/embedded.test.ts',
  'packages/server/src/processes/supervise-processes.test.ts',
  'packages/server/src/web/sitemap.test.ts',
  'packages/server/test/backup-ledger.test.ts',
  'packages/server/test/backup.test.ts',
  'packages/server/test/journeys/running.test.ts',
  'packages/server/test/long-reads.test.ts',
  'packages/server/test/media/folder.test.ts',
  'packages/server/test/media/s3.test.ts',
  'packages/server/test/races-of-two-servers.test.ts',
  'packages/server/test/reindex-upgrade.test.ts',
  'packages/server/test/secrets.test.ts',
  'packages/server/test/unread-answers.test.ts',
  'packages/server/test/upgrades/upgrades.test.ts',
  'scripts/build.test.ts',
  'scripts/new.test.ts',
  'scripts/test/run-files.test.ts',
]);

export const namedFiles: readonly string[] = [...kept, ...slowFiles];

/**
 * Whether `npm test` without words leaves the file out, so that it ends within 8 minutes on two cores. CI,
 * `npm run test:all` and a long run include it.
 */
export function isSlow(file: string): boolean {
  if (kept.has(file)) return false;
  return slowFiles.has(file) || slowFolders.some((folder) => file.startsWith(folder));
}
