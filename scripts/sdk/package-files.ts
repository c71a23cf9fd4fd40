// The manifest of the published client.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
