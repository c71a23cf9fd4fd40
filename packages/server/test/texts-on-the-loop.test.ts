// Every call on the event loop whose cost grows with a text has a bound, and a new one needs a row here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { operations } from '@colophon/contract';
import { importsOf, isTest, readSources } from './architecture/sources.ts';
import { bounds, islands, shareImages, texts } from './architecture/text-bounds.ts';

const server = join(import.meta.dirname, '..');
const sources = new Map(
  readSources(
    join(server, 'src'),
    '**/*.ts',
    `${shareImages}/*.ts`,
    `{${islands},${texts}}/**/*.ts`,
  )
    .filter((source) => !isTest(source))
    .map(({ file, text }) => [file, { file, text }]),
);

type Names = Readonly<Record<string, string>>;

function manifestOf(folder: string): { readonly exports?: Names; readonly imports?: Names } {
  return JSON.parse(readFileSync(join(server, 'src', folder, 'package.json'), 'utf8')) as object;
}

/** What imports may name, and its file: the doors of the server, and what its packages export. */
const doors: readonly (readonly [name: string, file: string])[] = [
  ...Object.entries(manifestOf('..').imports ?? {}).map(
    ([name, file]) => [name, posix.relative('src', file)] as const,
  ),
  ...['islands', 'share-images', 'text'].flatMap((name) =>
    Object.entries(manifestOf(`../../${name}`).exports ?? {}).map(
      ([part, file]) =>
        [`@colophon/${name}${part.slice(1)}`, `../../${name}/${file.slice(2)}`] as const,
    ),
  ),
];

/** The file that an import names, from `src` of the server; undefined where it is a package of others. */
function resolveFile(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [name, target] of doors) {
    const [before = '', behind] = name.split('*');
    const rest = specifier.slice(before.length);
    if (behind === undefined ? specifier !== name : !specifier.startsWith(before)) continue;
    return target.replace('*', rest);
  }
  return undefined;
}

/** What the process of the server loads itself. Files of worker threads are named by their address. */
function onTheLoop(): ReadonlySet<string> {
  const reached = new Set(['serve.ts']);
  for (const file of reached) {
    const text = sources.get(file)?.text ?? '';
    // What is imported for its type alone is not loaded.
    const loaded = text.replaceAll(/^(?:import|export) type\b[^;]*;/gm, '');
    for (const { specifier } of importsOf({ file, text: loaded })) {
      const next = resolveFile(file, specifier);
      if (next !== undefined && sources.has(next)) reached.add(next);
    }
  }
  return reached;
}

const reached = onTheLoop();

const ofNode = ['createHash', 'hash', 'JSON.stringify', 'JSON.parse'];
const ours =
  `readStored canonicalJson canonicalHash excerpt plainText plainBlocks preformat signalsIn
  tokenPointers findTokens maskTokens parseJson readJson writable compactXml shownText matchesIn wordsLike
  foundSnippet absoluteLinks prefixIds slugify withFrontMatter diffLines`.split(/\s+/);
const names = [...ofNode, ...ours].map((name) => name.replace('.', String.raw`\.`)).join('|');
const costly = new RegExp(String.raw`(?<!function |\.)\b(${names})\(`, 'g');

/** Folders whose calls are on rows, settings and files of the service; `backup` reads and hashes in pieces. */
const ownWork =
  /^(?:admin|backup|config|database|ledger|outbox|processes|reindex|storage|images|drawing)\/|^[a-z-]+\.ts$/;

const found = [...reached]
  .filter((file) => !ownWork.test(file))
  .flatMap((file) => {
    const calls = (sources.get(file)?.text ?? '').matchAll(costly);
    return [...new Set(Array.from(calls, ([, name = '']) => name))].map((name) => ({ file, name }));
  });

test('every costly call on a text on the event loop has a bound', () => {
  const unknown = found.filter(({ file, name }) => bounds[file]?.[name] === undefined);
  assert.deepEqual(
    unknown.map(({ file, name }) => `${file} ${name}`),
    [],
    'Say what bounds the text, work on it in pieces (lib/pieces.ts), or do it in a thread (packages/text).',
  );
});

test('every costly call is looked for by the name that it has now', () => {
  const all = [...sources.values()].map(({ text }) => text).join('\n');
  const isThere = (name: string) =>
    new RegExp(String.raw`\b(?:function|const) ${name}\b`).test(all);
  assert.deepEqual(
    ours.filter((name) => !isThere(name)),
    [],
  );
});

test('no bound stands for a call that is not there', () => {
  const rows = Object.entries(bounds).flatMap(([file, calls]) =>
    Object.keys(calls).map((name) => `${file} ${name}`),
  );
  const known = new Set(found.map(({ file, name }) => `${file} ${name}`));
  assert.deepEqual(
    rows.filter((row) => !known.has(row)),
    [],
  );
});

test('what reads whole texts is loaded by worker threads only', () => {
  const inThreads = [...sources.keys()].filter(
    (file) =>
      file.startsWith(`${texts}/markdown/`) ||
      [
        `${texts}/render.ts`,
        `${texts}/detect-language.ts`,
        `${texts}/spotlight/spotlight-worker.ts`,
        'web/feeds/formats.ts',
        'web/feeds/write-feed.ts',
      ].includes(file),
  );
  assert.ok(inThreads.length > 10);
  assert.deepEqual(
    inThreads.filter((file) => reached.has(file)),
    [],
  );
});

test('the libraries that draw and decode are loaded by the programs of their own only', () => {
  const libraries = /^(?:sharp|wawoff2|@fontsource-variable\/.*)$/;
  assert.ok(reached.has(`${shareImages}/index.ts`));
  const loading = [...reached].filter((file) =>
    importsOf({ file, text: sources.get(file)?.text ?? '' }).some(({ specifier }) =>
      libraries.test(specifier),
    ),
  );
  assert.deepEqual(loading, []);
});

test('the body of an answer is serialised, hashed and encoded in one place', () => {
  const serialising = /\bserialize\.get\(|\bserialize\(|hash\('sha1', (?:payload|text|shown)/;
  const places = [...reached].filter(
    (file) => /^(?:http|web)\//.test(file) && serialising.test(sources.get(file)?.text ?? ''),
  );
  // Answers of writes are serialised inside of their transaction, to be remembered with it.
  const known = ['http/call.ts', 'http/payload.ts', 'http/write/perform-write.ts'];
  assert.deepEqual(places.toSorted(), known);
});

test('only `content` and metadata of a body may contain more than 8 KiB', () => {
  const long = Object.values(operations).flatMap((operation) => {
    const { properties = {} } = (operation.body ?? {}) as {
      readonly properties?: Readonly<Record<string, { maxLength?: number; maxBytes?: number }>>;
    };
    return Object.entries(properties)
      .filter(([, { maxLength = 0, maxBytes = 0 }]) => Math.max(maxLength, maxBytes) > 8_192)
      .map(([name]) => name);
  });
  // A further one must be looked for by `isLong`, or be bounded.
  assert.deepEqual([...new Set(long)].toSorted(), ['content', 'generation_metadata', 'metadata']);
});
