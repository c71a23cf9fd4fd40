// How the build finds files: those of the repository, those of packages, and what is part of Node.js.
import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** Files of the repository, by path or by the names of its packages. */
const own = /^(?:[./#]|@colophon\/)/;

/**
 * Packages whose files are joined too. Other packages are loaded from node_modules: they are not needed by a start, or
 * find files and threads by their place.
 */
const joined = new Set([
  '@fastify/compress',
  '@noble/ed25519',
  'ajv',
  'ajv-formats',
  'bcp-47',
  'bowser',
  'canonicalize',
  'diff',
  'fast-json-stringify',
  'fastify',
  'ghtml',
  'graphile-worker',
  'ipaddr.js',
  'markdown-it',
  'modern-tar',
  'pg',
  'pg-copy-streams',
  'pino',
  'prom-client',
]);

/**
 * The plugin that compresses answers asks of each whether it is a Response, which loads the HTTP client of Node.js. No
 * route answers with one.
 */
const unasked = ['return obj instanceof Response', 'return false'] as const;

/** Returns the package of an import: `a/b` is of `a`, `@a/b/c` of `@a/b`. */
function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Whether a file is one that npm installed. */
const isOfPackage = (root: string, file: string) =>
  relative(root, file).split(sep).includes('node_modules');

/** Joins the files of the repository and of some packages; a file of theirs may import any other package. */
export function packagesPlugin(root: string): Plugin {
  return {
    name: 'joining',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^.]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === 'asked' || kind === 'entry-point' || path.startsWith('node:'))
          return undefined;
        const isOurs = !isOfPackage(root, importer);
        if (isOurs && (own.test(path) || joined.has(packageOf(path)))) return undefined;
        if (isOurs) return { path, external: true };
        // An optional package that is not installed: its import is in a branch of its own.
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'asked' });
        return found.errors.length > 0 ? { path, external: true } : found;
      });
    },
  };
}

/** Files keep their own place: they find threads, migrations and assets by it. */
export function sourcesPlugin(root: string, read: (path: string) => Promise<string>): Plugin {
  return {
    name: 'in place',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]packages[/\\].*\.(?:ts|mjs)$/ }, async ({ path }) => {
        if (isOfPackage(root, path)) return undefined;
        const contents = (await read(path))
          .replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', () => JSON.stringify(dirname(path)))
          .replaceAll('import.meta.filename', () => JSON.stringify(path));
        return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' };
      });
      onLoad({ filter: /[/\\]node_modules[/\\].*\.c?js$/ }, async ({ path }) => {
        const text = (await readFile(path, 'utf8')).replace(...unasked);
        const names = { __dirname: dirname(path), __filename: path };
        const used = Object.entries(names).filter(([name]) => text.includes(name));
        const places = used.map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
        return { contents: places.join('') + text, loader: 'js' };
      });
    },
  };
}

/**
 * Imports from modules of Node.js what is asked for, and nothing else. An `import` of them makes Node.js read all that
 * they export, and some of that is loaded when it is read.
 */
export function builtinsPlugin(): Plugin {
  return {
    name: 'builtins',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
        const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter(
          (name) => /^[A-Za-z_]\w*$/.test(name) && name !== 'default',
        );
        const exported = names.map(
          (name) =>
            `const own_${name} = /* @__PURE__ */ get('${name}'); export { own_${name} as ${name} };`,
        );
        const contents = [
          `const whole = process.getBuiltinModule('${path}');`,
          'export default whole;',
          '// @__NO_SIDE_EFFECTS__',
          'function get(name) { return whole[name]; }',
          ...exported,
        ];
        return { contents: contents.join('\n'), loader: 'js' };
      });
    },
  };
}
