// The file with the tokens of the seed accounts, by URL of their server; only its owner can read it.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface KeptAccount {
  readonly username: string;
  readonly id: string;
  readonly token: string;
}

type Kept = Record<string, readonly KeptAccount[]>;

async function readAll(file: string): Promise<Kept> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Returns the accounts stored for a server, oldest first. */
export async function readKept(file: string, baseUrl: string): Promise<readonly KeptAccount[]> {
  return (await readAll(file))[baseUrl] ?? [];
}

/** Replaces the accounts stored for a server, atomically, because a token is shown only once. */
export async function writeKept(
  file: string,
  baseUrl: string,
  accounts: readonly KeptAccount[],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const text = JSON.stringify({ ...(await readAll(file)), [baseUrl]: accounts }, null, 2);
  await writeFile(`${file}.next`, `${text}\n`, { mode: 0o600 });
  await rename(`${file}.next`, file);
}
