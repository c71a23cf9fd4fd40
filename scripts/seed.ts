// npm run seed: publishes the Markdown documents of the installed packages, and reads each one back.
import { join, resolve } from 'node:path';
import { createClient, isProblem } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { openAccounts } from './seed/accounts.ts';
import type { Accounts } from './seed/accounts.ts';
import { findDocuments } from './seed/documents.ts';
import type { Findings, FoundDocument } from './seed/documents.ts';
import { plant } from './seed/plant.ts';
import type { Outcome } from './seed/plant.ts';
import { startProgress } from './seed/progress.ts';

const inFlight = 8;
const { env } = process;
const root = resolve(import.meta.dirname, '..');
const baseUrl = env['COLOPHON_URL'] ?? 'http://localhost:8080';
const tokenFile = join(resolve(root, env['DATA_DIR'] ?? 'data'), 'seed.json');
const help = `npm run seed [-- FOLDER…]
Publishes every *.md and *.markdown below the folders (node_modules, when none is named).
COLOPHON_URL    the server, http://localhost:8080 when left out
COLOPHON_TOKEN  publish with this account; left out, accounts named seed-1, seed-2, … are registered,
                one more whenever a day's allowance is used up, and kept in DATA_DIR/seed.json`;

interface Tally {
  readonly counts: Record<Outcome, number>;
  readonly failures: string[];
}

function connect(token?: string): Client {
  return createClient({ baseUrl, token, retry: { attempts: 8, longestWaitMs: 60_000 } });
}

/** Whether going on with other documents is of no use. */
function endsAll(error: unknown): boolean {
  if (!isProblem(error)) return false;
  return ['unavailable', 'unauthenticated', 'insufficient-scope', 'rate-limited'].includes(
    error.problem.name,
  );
}

async function plantAll(documents: readonly FoundDocument[], accounts: Accounts): Promise<Tally> {
  const tally: Tally = { counts: { published: 0, 'already there': 0, waiting: 0 }, failures: [] };
  const reader = connect();
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
      : ` (left out: ${rest.map(([why, count]) => `${count} ${why}`).join(', ')})`;
  console.log(`Found ${documents.length} documents in ${packages} packages${without}.`);
}

function sayDone({ counts, failures }: Tally, accounts: Accounts, ms: number): void {
  const compared = counts.published + counts['already there'];
  const rate = ((compared / ms) * 1000).toFixed(1);
  console.log(
    `Published ${counts.published}, already there ${counts['already there']}, waiting ${counts.waiting}, ` +
      `failed ${failures.length}.\n` +
      `Read back ${compared}: bytes and hashes are equal. ` +
      `${accounts.all.length} ${accounts.all.length === 1 ? 'account' : 'accounts'}, ${(ms / 1000).toFixed(1)} s, ${rate} documents a second.`,
  );
  for (const failure of failures) console.error(failure);
  if (counts.waiting > 0) {
    console.error(
      `${accounts.refusal() ?? 'An allowance is used up.'} Run this again tomorrow (UTC): it goes on where it is.`,
    );
  }
  if (failures.length + counts.waiting > 0) process.exitCode = 1;
}

function explained(error: unknown): string {
  if (!isProblem(error))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.problem.name !== 'unavailable') return error.message;
  return (
    `${error.problem.detail ?? error.message}\n` +
    `Start the server with \`npm start\` in another terminal, or say in COLOPHON_URL where it is, and run this ` +
    `again: it goes on where it is.`
  );
}

async function seed(folders: readonly string[]): Promise<void> {
  const meta = await createClient({ baseUrl, retry: { attempts: 2 } }).readMeta();
  const findings = await findDocuments(folders.length > 0 ? folders : [join(root, 'node_modules')]);
  sayFound(findings);
  const token = env['COLOPHON_TOKEN'];
  const accounts = await openAccounts({ baseUrl, file: tokenFile, token, connect }, meta);
  const begin = performance.now();
  const tally = await plantAll(findings.documents, accounts);
  sayDone(tally, accounts, performance.now() - begin);
}

const folders = process.argv.slice(2);
if (folders.includes('--help')) console.log(help);
else {
  await seed(folders.map((folder) => resolve(folder))).catch((error: unknown) => {
    console.error(explained(error));
    process.exitCode = 1;
  });
}
