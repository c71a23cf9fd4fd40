// The licences of packages whose code is part of a published bundle.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Returns the folders of the packages that the files of a bundle come from, such as `node_modules/yaml`. */
export function bundledPackages(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return [...new Set(folders)].toSorted();
}

async function textOf(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => text.trim()).join('\n\n');
}

/**
 * Returns the licence texts of bundled packages, which their licences require beside the code.
 * @param folders relative to `root`
 */
export async function licencesOf(root: string, folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(
        await readFile(join(root, folder, 'package.json'), 'utf8'),
      ) as Manifest;
      const text = await textOf(join(root, folder));
      return `## ${name} ${version} (${license})\n\n${text === '' ? `Its package contains no text of the licence; its name is ${license}.` : text}\n`;
    }),
  );
  return `# Bundled packages\n\nThe program contains code of these packages.\n\n${texts.join('\n')}`;
}
