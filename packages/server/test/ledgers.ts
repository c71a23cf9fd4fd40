// The ledger of erasures as it is on the disk, for tests.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the lines of the ledger in a media folder or a folder of backups, in no order. */
export async function ledgerLines(folder: string): Promise<readonly string[]> {
  const ledger = join(folder, 'erasures');
  const names = await readdir(ledger).catch(() => []);
  const texts = names
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFile(join(ledger, name), 'utf8'));
  return (await Promise.all(texts)).flatMap((text) => text.split('\n').filter(Boolean));
}

/** Returns how many lines of the ledger name the article. */
export async function ledgerCount(folder: string, articleId: string): Promise<number> {
  return (await ledgerLines(folder)).filter((line) => line.includes(articleId)).length;
}
