// Builds a program for publishing (the command line, the tool host): one folder of JavaScript without dependencies.
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as contract from '@colophon/contract';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import { bundledPackages, licencesOf } from './licences.ts';

const root = resolve(import.meta.dirname, '../..');

interface Source {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

/** The functions of the contract that programs may call. None of them uses another name of its module. */
const portable = new Set(['cursorOf', 'needsPrecondition', 'scopesOf', 'tokenFault']);

/** JSON in a string is parsed several times faster than the same text as JavaScript. */
function literalOf(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length < 2000 ? json : `JSON.parse(${JSON.stringify(json)})`;
}

/**
 * Returns a module with the values of the contract as JSON. Its schemas are JSON Schema already, so a program
 * starts without the schema library, which takes longer to load than the rest of the program.
 */
function staticContract(): string {
  const { operationList, ...values } = contract;
  const lines = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'function') return `export const ${name} = ${literalOf(value)};`;
    return portable.has(name) ? value.toString().replace(/^function/, 'export function') : '';
  });
  // The list is the same data again, in its own order.
  const names = JSON.stringify(operationList.map(({ name }) => name));
  const list = `export const operationList = ${names}.map((name) => operations[name]);`;
  return [...lines, list].join('\n');
}

const plainContract: Plugin = {
  name: 'plain-contract',
  setup: ({ onResolve, onLoad }) => {
    const target = () => ({ path: 'contract', namespace: 'plain', sideEffects: false });
    onResolve({ filter: /contract\/src\/index\.ts$/ }, target);
    onResolve({ filter: /^@colophon\/contract$/ }, target);
    onLoad({ filter: /.*/, namespace: 'plain' }, () => ({
      contents: staticContract(),
      loader: 'js',
    }));
  },
};

/** Modules of CommonJS inside the bundle call `require` for modules of Node.js. */
const requireBanner =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** Threads of the program (`NAME.worker.ts`) become files beside it. */
async function workersOf(source: string): Promise<Readonly<Record<string, string>>> {
  const files = await Array.fromAsync(glob('**/*.worker.ts', { cwd: source }));
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(source, file)]));
}

async function bundle(source: string, name: string, to: string): Promise<Metafile> {
  const workers = await workersOf(join(source, 'src'));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { [name]: join(source, 'src/main.ts'), ...workers },
    outdir: to,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    legalComments: 'inline',
    logLevel: 'warning',
    metafile: true,
    banner: { js: requireBanner },
    plugins: [plainContract],
  });
  return metafile;
}

/** Names what is published: the manifest of the workspace names sources and dependencies that are not. */
function manifestOf(source: Source, command: string): string {
  const { name, version, description, keywords, license, engines } = source;
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    type: 'module',
    engines,
    bin: { [command]: `./${command}.js` },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/**
 * Builds the program of a package into the folder `to`, replacing its content: the command with its chunks,
 * which load when a command needs them, a manifest without dependencies, the README and the licences of what
 * is bundled. The package's `src/main.ts` begins with `#!/usr/bin/env node`, and its manifest has one `bin`.
 */
export async function buildProgram(folder: string, to: string): Promise<void> {
  const source = join(root, 'packages', folder);
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Source;
  const [command = folder] = Object.keys(manifest.bin);
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const metafile = await bundle(source, command, to);
  const packages = bundledPackages(Object.keys(metafile.inputs));
  await Promise.all([
    writeFile(join(to, 'package.json'), manifestOf(manifest, command)),
    writeFile(join(to, 'README.md'), await readFile(join(source, 'README.md'))),
    writeFile(join(to, 'NOTICES.md'), await licencesOf(root, packages)),
  ]);
}

if (import.meta.main) {
  const [folder, to] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name a folder below packages: build.ts cli [TO]');
  const place = resolve(to ?? join(root, 'packages', folder, 'dist'));
  await buildProgram(folder, place);
  process.stdout.write(`Built ${place}. Publish it with: npm publish ${place}\n`);
}
