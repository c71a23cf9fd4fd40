// Relative imports that leave their folder: in the server, and in the packages that it is made of.
import { posix } from 'node:path';
import { importsOf, isTest } from './sources.ts';
import type { Source } from './sources.ts';

/** Packages that the server is made of. Their tests take what they need from the tests of the server. */
const partOfServer = /^.*\b(?:text\/src\/|islands\/src\/(?:browser\/)?)/;

/** The folder that a file may move in by relative paths: an area, a folder of src, or a package. */
function unitOf(file: string): string {
  const [packaged] = partOfServer.exec(file) ?? [];
  if (packaged !== undefined) return packaged;
  const match = /^(.*?\bserver\/src\/)(?:(areas\/[^/]+)\/|([^/]+)\/)?/.exec(file);
  return match
    ? `${match[1]}${match[2] ?? match[3] ?? ''}`
    : posix.dirname(file).split('/').slice(0, 2).join('/');
}

/** Relative imports that leave their folder: it is left by a `#name` and entered by its door. */
export function climbingImports(sources: readonly Source[]): string[] {
  return (
    sources
      // main.mjs runs before TypeScript can be loaded, so it cannot enter by a door.
      .filter(
        (source) =>
          (/\bserver\/src\//.test(source.file) && !source.file.endsWith('.mjs')) ||
          (partOfServer.test(source.file) && !isTest(source)),
      )
      .flatMap((source) =>
        importsOf(source)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .filter(
            ({ specifier }) =>
              unitOf(posix.join(posix.dirname(source.file), specifier)) !== unitOf(source.file),
          )
          .map(({ specifier, line }) => `${source.file}:${line}: ${specifier} leaves its folder`),
      )
  );
}
