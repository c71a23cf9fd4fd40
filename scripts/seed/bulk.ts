// npm run seed -- --bulk: publishes the Markdown documents of installed packages and reads them back.
import { join } from 'node:path';
import { createClient, isProblem } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { openAccounts } from './accounts.ts';
import type { Accounts } from './accounts.ts';
import { findDocuments } from './documents.ts';
import type { Findings, FoundDocument } from './documents.ts';
import { plant } from './plant.ts';
import type { Outcome } from './plant.ts';
import { startProgress } from './progress.ts';

const inFlight = 8;

interface Tally {
  readonly counts: Record<Outcome, number>;
  readonly failures: string[];
}

interface Setting {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Publish with this account and register none. */
  readonly token: string | undefined;
  readonly root: string;
}

function connectTo(baseUrl: string, token?: string): Client {
  return createClient({ baseUrl, token, retry: { attempts: 8, longestWaitMs: 60_000 } });
}

/** Whether an error makes it pointless to continue with other documents. */
function endsAll(error: unknown): boolean {
  if (!isProblem(error)) return false;
  return ['unavailable', 'unauthenticated', 'insufficient-scope', 'rate-limited'].includes(
    error.problem.name,
  );
}

async function plantAll(
  documents: readonly FoundDocument[],
  accounts: Accounts,
  reader: Client,
): Promise<Tally> {
  const tally: Tally = { counts: { published: 0, 'already there': 0, waiting: 0 }, failures: [] };
  const waiting = documents.values();
  using progress = startProgress(documents.length);
  const work = async () => {
    for (const document of waiting) {
      try {
        tally.counts[await plant(accounts, reader, document)] += 1;
      } catch (error) {
        if (endsAll(error)) throw error;
        tally.failures.push(`${document.facts.name} ${document.path}: ${String(error)}`);
      }
      progress.advance();
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: inFlight }, work));
  const broken = ended.find((one) => one.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return tally;
}

function sayFound({ documents, leftOut }: Findings): void {
  const packages = new Set(documents.map(({ facts }) => facts.folder)).size;
  const rest = Object.entries(leftOut).filter(([, count]) => count > 0);
  const without =
    rest.length === 0
      ? ''
      : ` (skipped: ${rest.map(([why, count]) => `${count} ${why}`).join(', ')})`;
  console.log(`Found ${documents.length} documents in ${packages} packages${without}.`);
}

function sayDone({ counts, failures }: Tally, accounts: Accounts, ms: number): void {
  const compared = counts.published + counts['already there'];
  const rate = ((compared / ms) * 1000).toFixed(1);
  console.log(
    `Published ${counts.published}, already there ${counts['already there']}, waiting ${counts.waiting}, ` +
      `failed ${failures.length}.\n` +
      `Verified ${compared}: bytes and hashes are equal. ` +
      `${accounts.all.length} ${accounts.all.length === 1 ? 'account' : 'accounts'}, ${(ms / 1000).toFixed(1)} s, ${rate} documents a second.`,
  );
  for (const failure of failures) console.error(failure);
  if (counts.waiting > 0) {
    console.error(
      `${accounts.refusal() ?? 'An allowance is used up.'} Run this command again tomorrow (UTC): it continues where it stopped.`,
    );
  }
  if (failures.length + counts.waiting > 0) process.exitCode = 1;
}

/** Publishes every Markdown document below the folders; the default is node_modules of `root`. */
export async function seedBulk(
  { baseUrl, dataDir, token, root }: Setting,
  folders: readonly string[],
): Promise<void> {
  const connect = (own?: string) => connectTo(baseUrl, own);
  const meta = await createClient({ baseUrl, retry: { attempts: 2 } }).readMeta();
  const findings = await findDocuments(folders.length > 0 ? folders : [join(root, 'node_modules')]);
  sayFound(findings);
  const file = join(dataDir, 'seed.json');
  const accounts = await openAccounts({ baseUrl, file, token, connect }, meta);
  const begin = performance.now();
  const tally = await plantAll(findings.documents, accounts, connect());
  sayDone(tally, accounts, performance.now() - begin);
}
