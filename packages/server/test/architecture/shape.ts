// The shape of the tree: names of files, eight names per area, one file and one test per operation, doors.
import { posix } from 'node:path';
import { isTest, templatesOf } from './sources.ts';
import type { Source } from './sources.ts';
import { tablesWritten } from './statements.ts';

const areas = new Set([
  'identity',
  'media',
  'articles',
  'social',
  'moderation',
  'search',
  'feed',
  'sitemap',
  'share-images',
  'events',
  'home',
  'exports',
  'log',
]);
const parts = 'service|rules|queries|views|outbox|subscribers';
const areaFile = new RegExp(
  `^(?:index\\.ts|operations/[a-z0-9-]+(?:\\.test)?\\.ts|(?:${parts})(?:\\.test)?\\.ts|(?:${parts})/[a-z0-9-]+(?:\\.[a-z-]+)?(?:\\.test)?\\.ts|[a-z0-9-]+\\.test\\.ts)$`,
);
const bannedName =
  /^(?:(?:.*-)?(?:utils?|helpers?|common|misc|managers?|handlers?)|process|data|info)$/;

interface Place {
  readonly area: string;
  /** Inside the area. */
  readonly path: string;
  readonly source: Source;
}

function inAreas(sources: readonly Source[]): Place[] {
  return sources.flatMap((source) => {
    const match = /\bserver\/src\/areas\/([^/]+)\/(.*)$/.exec(source.file);
    return match ? [{ area: match[1] ?? '', path: match[2] ?? '', source }] : [];
  });
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Names that an area has beside its eight, and areas without a door or a place in the order. */
export function misplacedFiles(sources: readonly Source[]): string[] {
  const places = inAreas(sources);
  const problems = places.flatMap(({ area, path, source }) => {
    if (!areas.has(area)) return [`${source.file}: ${area} is not an area`];
    return areaFile.test(path) ? [] : [`${source.file}: not one of the eight names of an area`];
  });
  for (const area of new Set(places.map((place) => place.area))) {
    const paths = places.filter((place) => place.area === area).map(({ path }) => path);
    if (!paths.includes('index.ts')) problems.push(`areas/${area}: has no door, index.ts`);
    for (const part of parts.split('|')) {
      const both =
        paths.includes(`${part}.ts`) && paths.some((path) => path.startsWith(`${part}/`));
      if (both) problems.push(`areas/${area}: has ${part}.ts and a folder ${part}/`);
    }
  }
  return problems;
}

/** Operations without exactly one file, files without an operation, and files without a test beside them. */
export function missingOperations(sources: readonly Source[], names: readonly string[]): string[] {
  const files = inAreas(sources).filter(
    ({ path }) => path.startsWith('operations/') && path !== 'operations/index.ts',
  );
  const known = new Set(names.map(kebab));
  const nameOf = (file: string): string => posix.basename(file).replace(/(?:\.test)?\.ts$/, '');
  const implemented = files
    .filter(({ source }) => !isTest(source))
    .map(({ source }) => source.file);
  const all = new Set(files.map(({ source }) => source.file));
  return [
    ...[...known].flatMap((name) => {
      const count = implemented.filter((file) => nameOf(file) === name).length;
      return count === 1 ? [] : [`${name}: implemented ${count} times`];
    }),
    ...implemented.flatMap((file) =>
      known.has(nameOf(file)) ? [] : [`${file}: no such operation in the contract`],
    ),
    ...implemented.flatMap((file) =>
      all.has(file.replace(/\.ts$/, '.test.ts')) ? [] : [`${file}: no test beside it`],
    ),
  ];
}

export function bannedNames(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file }) => {
    const banned = file
      .split('/')
      .map((name) => name.split('.')[0] ?? '')
      .filter((name) => bannedName.test(name));
    return banned.map((name) => `${file}: ${name} says nothing about what is inside`);
  });
}

export function withoutOpeningComment(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) => {
    const first = text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text;
    return /^\/\/ \S|^\/\*\*? ?\S/.test(first)
      ? []
      : [`${file}: the first line does not say what the file contains`];
  });
}

/**
 * A class stands only for a thing with a lifetime, or for a query of the database's driver with other methods; errors
 * are `problem()`, and the SDK's own are its interface.
 */
export function idleClasses(sources: readonly Source[]): string[] {
  return sources
    .filter(
      (source) => !isTest(source) && /\b(?:server|contract|islands|text)\/src\//.test(source.file),
    )
    .filter(({ text }) =>
      /^(?:export )?(?:abstract )?class \w+\b(?! extends \(pg\.Query)/m.test(text),
    )
    .filter(({ text }) => !text.includes('[Symbol.asyncDispose]'))
    .map(({ file }) => `${file}: a class without [Symbol.asyncDispose]; write functions`);
}

/** A key of a row has one type, RowKey of lib/id: other types extend it. */
export function ownRowKeys(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isTest(source) && !source.file.endsWith('server/src/lib/id.ts'))
    .filter(({ text }) => /readonly bucket: number;\s*readonly id: string;?/.test(text))
    .map(({ file }) => `${file}: a bucket and an id are a RowKey`);
}

/** `mkdir` with `recursive` never returns in /proc, and an operator or a reader may name any place. */
export function endlessFolders(sources: readonly Source[]): string[] {
  return (
    sources
      .filter(
        (source) => !isTest(source) && /\b(?:server|cli|mcp|islands|text)\/src\//.test(source.file),
      )
      // Its folder is in the repository.
      .filter(({ file }) => !file.endsWith('islands/src/bundle-islands.ts'))
      .filter(({ text }) => /\bmkdir(?:Sync)?\([^;{}]*\{ ?recursive\b/.test(text))
      .map(({ file }) => `${file}: makeFolders creates a folder with its parents`)
  );
}

/** The address of a file escapes its path: `pathname` names another file where a folder has a space or a percent sign. */
export function escapedPaths(sources: readonly Source[]): string[] {
  return sources
    .filter(({ text }) => /\bimport\.meta\.(?:url|resolve\([^()]*\))\)?\.pathname\b/.test(text))
    .map(({ file }) => `${file}: name a file by import.meta.dirname or fileURLToPath`);
}

const doorLines = 60;
const appends = /\b(?:appendMessage|appendStatement|appendEvent)\b/;
const subscribes = /\b(?:Subscriber|Recurring)\b/;

/** Parts of an area that do not do what their name says. */
export function meaninglessParts(sources: readonly Source[]): string[] {
  const places = inAreas(sources).filter(({ source }) => !isTest(source));
  return places.flatMap(({ path, source: { file, text } }) => {
    const problems: string[] = [];
    if (path === 'index.ts' && text.split('\n').length > doorLines + 1)
      problems.push(`${file}: a door of more than ${doorLines} lines`);
    if (path === 'index.ts' && /^(?:export )?(?:async )?function /m.test(text))
      problems.push(`${file}: a door only re-exports; logic belongs in service/`);
    if (/^outbox[/.]/.test(path) && !appends.test(text))
      problems.push(`${file}: appends nothing; logic belongs in service/`);
    if (/^subscribers[/.]/.test(path) && !subscribes.test(text))
      problems.push(`${file}: subscribes to nothing; logic belongs in service/`);
    return problems;
  });
}

/** In an area, SQL is in queries only. */
export function strayStatements(sources: readonly Source[]): string[] {
  return inAreas(sources)
    .filter(({ path, source }) => !isTest(source) && !/^queries[/.]/.test(path))
    .flatMap(({ source }) =>
      templatesOf(source).map(({ line }) => `${source.file}:${line}: SQL outside queries`),
    );
}

/** Tables that more than one area or folder of the server writes. */
export function sharedTables(sources: readonly Source[]): string[] {
  const writers = new Map<string, Set<string>>();
  for (const source of sources) {
    const owner = /\bserver\/src\/(?:areas\/)?([^/]+)\//.exec(source.file)?.[1];
    if (owner === undefined || isTest(source)) continue;
    for (const table of tablesWritten(source))
      writers.set(table, (writers.get(table) ?? new Set()).add(owner));
  }
  return [...writers]
    .filter(([, owners]) => owners.size > 1)
    .map(([table, owners]) => `${table}: written by ${[...owners].toSorted().join(' and ')}`);
}

/** Calls of `async` functions that are not awaited: what fails in them ends the process. */
export function lostRejections(sources: readonly Source[]): string[] {
  const inArea = inAreas(sources).filter(({ source }) => !isTest(source));
  const names = inArea.flatMap(({ source }) =>
    Array.from(source.text.matchAll(/\basync function (\w+)/g), ([, name = '']) => name),
  );
  const waiting = new Set(names);
  return inArea.flatMap(({ source }) =>
    Array.from(source.text.matchAll(/\bvoid (\w+)\(tx\b/g), ([, name = '']) => name)
      .filter((name) => waiting.has(name))
      .map((name) => `${source.file}: void ${name}(…), which is async: return tx.run(…) in it`),
  );
}

/** A promise in a variable while another one is awaited: when both fail, its failure has no handler. */
export function promisesAside(sources: readonly Source[]): string[] {
  const inArea = inAreas(sources).filter(({ source }) => !isTest(source));
  return inArea.flatMap(({ source: { file, text } }) =>
    Array.from(text.matchAll(/\bawait (\w+)(?=[;,)])/g)).flatMap(({ 1: name = '', index }) => {
      const made = text.lastIndexOf(`const ${name} = `, index);
      const between = made < 0 ? '' : text.slice(made + `const ${name} = `.length, index);
      if (!/\bawait\b/.test(between) || between.startsWith('await ')) return [];
      return [`${file}: ${name} is awaited after another promise: await both in Promise.all`];
    }),
  );
}

/** Operations that the kernel names: what differs between operations is declared in the contract. */
export function namedOperations(sources: readonly Source[], names: readonly string[]): string[] {
  const one = names.join('|');
  const named = new RegExp(`(['"\`])(?:${one})\\1|\\b(?:${one})\\??:`);
  return sources
    .filter((source) => !isTest(source) && /\bserver\/src\/http\//.test(source.file))
    .flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => {
        const found = /^\s*(?:\/\/|\/?\*)/.test(line) ? null : named.exec(line);
        return found === null ? [] : [`${file}:${index + 1}: ${found[0]} names an operation`];
      }),
    );
}

/** Operations whose declaration in the contract and whose file in the server are in different areas. */
export function areasThatDiffer(sources: readonly Source[]): string[] {
  const declared = sources.flatMap(({ file, text }) => {
    const area = /\bcontract\/src\/([\w-]+)(?:\.ts$|\/)/.exec(file)?.[1];
    const found = text.matchAll(/^export const \w+ = operation\('(\w+)'/gm);
    return Array.from(found, ([, name = '']) => ({ name, area, file }));
  });
  const implemented = inAreas(sources);
  return declared.flatMap(({ name, area, file }) => {
    const place = implemented.find(({ path }) => path === `operations/${kebab(name)}.ts`);
    if (place === undefined || place.area === area) return [];
    return [`${file}: declares ${name}, which is in the area ${place.area} of the server`];
  });
}

/** As for code; a sheet that outgrows it is divided by what it styles. */
const sheetLinesMax = 300;

export function longSheets(sheets: readonly Source[]): string[] {
  return sheets
    .map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > sheetLinesMax)
    .map(({ file, lines }) => `${file}: ${lines} lines; divide it by what it styles`);
}

/** Letters in a cell of a table: more are read as a list. */
const cellMax = 120;

/** Lines of Markdown with a longer cell. */
export function longCells(pages: readonly Source[]): string[] {
  return pages.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => {
      if (!line.startsWith('|') || /^[|: -]+$/.test(line)) return [];
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return cells.some(({ length }) => length > cellMax) ? [`${file}:${index + 1}`] : [];
    }),
  );
}
