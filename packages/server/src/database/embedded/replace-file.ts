// Writes a file into the database folder, which may belong to another user.

import { open, rename, rm } from 'node:fs/promises';

type Owner = { readonly uid: number; readonly gid: number };

/**
 * Replaces `file` with `text`, completely or not at all. It never follows a link: as root, that would write
 * to, and change the owner of, any file that the database's user made the link point to.
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
