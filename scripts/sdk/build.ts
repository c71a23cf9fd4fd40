// Builds the client for publishing: a JavaScript module, flat declarations, manifest, README, licences.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { declarations } from './declare.ts';
import { licencesOf } from '../programs/licences.ts';
import { manifestOf } from './package-files.ts';
import { slimContract } from './slim-contract.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'packages/sdk');

const bundled = ['@noble/ed25519', '@noble/hashes', 'canonicalize'].map(
  (name) => `node_modules/${name}`,
);

/** The client uses names of the contract but no schemas: their library is left out of the bundle. */
const slim: Plugin = {
  name: 'slim-contract',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /contract\/src\/index\.ts$/ }, () => ({
      path: 'contract',
      namespace: 'slim',
    }));
    onLoad({ filter: /.*/, namespace: 'slim' }, () => ({ contents: slimContract(), loader: 'js' }));
  },
};

async function bundle(to: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['index', 'proofs', 'log', 'input-error', 'check-input'].map((name) =>
      join(source, `src/${name}.ts`),
    ),
    outdir: to,
    bundle: true,
    // Cryptography is in a file of its own: bundlers leave it out of programs that do not use it. What both
    // use is a third file, or they would load each other.
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    legalComments: 'inline',
    logLevel: 'warning',
    plugins: [slim],
  });
}

/** Returns the specifiers of relative imports in a declaration, as the source writes them: `./types.ts`. */
function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/from '\.\/([\w-]+)\.ts'/g)].map(([, name]) => name ?? '');
}

/**
 * The compiler generates the declarations of handwritten code; those derived from the contract are made here.
 */
async function declare(to: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'colophon-declarations-'));
  try {
    const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
    const config = join(source, 'tsconfig.build.json');
    // Several threads each check what they share: one alone takes half of the processor time.
    await run(process.execPath, [tsc, '-p', config, '--singleThreaded', '--outDir', emitted]);
    const done = new Set<string>(['types']);
    const left = ['index'];
    await writeFile(join(to, 'types.d.ts'), withExtension(declarations()));
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (done.has(name)) continue;
      done.add(name);
      const text = await readFile(join(emitted, `sdk/src/${name}.d.ts`), 'utf8');
      left.push(...importsOf(text));
      await writeFile(join(to, `${name}.d.ts`), withExtension(text));
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

function withExtension(text: string): string {
  return text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
}

/** Builds the client into the folder `to`, replacing its content. */
export async function buildSdk(to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await Promise.all([
    bundle(to),
    declare(to),
    writeFile(join(to, 'package.json'), await manifestOf(source)),
    writeFile(join(to, 'README.md'), await readFile(join(source, 'README.md'))),
    writeFile(join(to, 'NOTICES.md'), await licencesOf(root, bundled)),
  ]);
}

if (import.meta.main) {
  const to = resolve(process.argv[2] ?? join(source, 'dist'));
  await buildSdk(to);
  process.stdout.write(`Built ${to}. Publish it with: npm publish ${to}\n`);
}
