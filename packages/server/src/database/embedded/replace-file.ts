// Writes a file into the database's folder, whose user may be another one than ours.

import { open, rename, rm } from 'node:fs/promises';

type Owner = { readonly uid: number; readonly gid: number };

/**
 * Puts `text` in the place of `file`, whole or not at all. Never through a link: as root that would write to, and give
 * away, whatever the database's user made it point to.
 */
export async function replaceFile(file: string, text: string, owner?: Owner): Promise<void> {
  const draft = `${file}.new`;
  await rm(draft, { recursive: true, force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
