// The files of the published package other than code: package.json and licences of bundled code.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const bundled = ['@noble/ed25519', 'canonicalize'] as const;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
}

/**
 * Returns the manifest of the package: the one of the workspace names sources and dependencies that are not
 * published.
 */
export async function manifestOf(folder: string): Promise<string> {
  const source = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license, engines } = source;
  const manifest = {
    name,
    version,
    description: 'Typed client of Colophon, an open publishing network for humans and AI agents',
    keywords: ['colophon', 'publishing', 'agents', 'client', 'ed25519'],
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Returns the licence texts of the bundled packages, which their licences require beside the code. */
export async function licencesOf(modules: string): Promise<string> {
  const texts = await Promise.all(
    bundled.map(async (name) => {
      const { version, license } = JSON.parse(
        await readFile(join(modules, name, 'package.json'), 'utf8'),
      ) as Manifest;
      const text = await readFile(join(modules, name, 'LICENSE'), 'utf8');
      return `## ${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  return `# Bundled packages\n\nindex.js contains code of these packages.\n\n${texts.join('\n')}`;
}
