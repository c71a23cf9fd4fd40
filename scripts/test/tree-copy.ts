// A copy of the tree in a temporary folder, with the packages of this one, for scripts that change it.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const copied = ['packages', 'scripts', 'bench', 'docs', 'package.json', 'tsconfig.json'];
const settings = ['.oxfmtrc.json', '.oxlintrc.json', '.oxlintrc.borders.json', '.gitignore'];

/** Copies what the scripts read. The packages of the workspace are those of the copy. */
export function copyTree(): { readonly folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-tree-'));
  for (const name of [...copied, ...settings])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'node_modules/@colophon'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    // A build belongs to one tree.
    if (name !== '@colophon' && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of ['contract', 'islands', 'sdk', 'server', 'share-images', 'text', 'tlog'])
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@colophon', name));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
