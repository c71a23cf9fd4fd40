// Every call on the event loop whose cost grows with a text has a bound, and a new one needs a row here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { operations } from '@colophon/contract';
import { importsOf, isTest, readSources } from './architecture/sources.ts';

const server = join(import.meta.dirname, '..');
/** The package of the program that draws, of which the server loads only the door. */
const shareImages = '../../share-images/src';
const sources = new Map(
  readSources(join(server, 'src'), '**/*.ts', `${shareImages}/*.ts`)
    .filter((source) => !isTest(source))
    .map(({ file, text }) => [file, { file, text }]),
);
const { imports } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};
/** The file of `src` that an import names; undefined where it is a package. */
function resolved(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  if (specifier === '@colophon/share-images') return `${shareImages}/index.ts`;
  for (const [name, target] of Object.entries(imports)) {
    const [before = '', behind] = name.split('*');
    const rest = specifier.slice(before.length);
    if (behind === undefined ? specifier !== name : !specifier.startsWith(before)) continue;
    return posix.relative('src', target.replace('*', rest));
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
      const next = resolved(file, specifier);
      if (next !== undefined && sources.has(next)) reached.add(next);
    }
  }
  return reached;
}

const reached = onTheLoop();

const costly =
  /(?<!function |\.)\b(createHash|hash|JSON\.stringify|JSON\.parse|readStored|canonicalJson|canonicalHash|excerpt|plainText|plainBlocks|preformatted|signalsIn|tokenPointers|findTokens|maskTokens|parseJson|readJson|writable|compacted|shownText|matchesIn|wordsLike|foundSnippet|placed|slugify|withFrontMatter|diffLines)\(/g;

/** Folders whose calls are on rows, settings and files of the service; `backup` reads and hashes in pieces. */
const ownWork =
  /^(?:admin|backup|config|database|ledger|outbox|processes|reindex|storage|images|drawing)\/|^[a-z-]+\.ts$/;

/** Calls by file, and what bounds the texts that they are made on. */
const bounds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${shareImages}/index.ts`]: {
    createHash: 'a title: 300 characters',
    'JSON.stringify': 'a title: 300 characters',
  },
  'areas/articles/queries/renderings.ts': {
    'JSON.stringify':
      'the headings that are listed and the signals that are kept: some hundreds of each',
  },
  'areas/articles/service/excerpts.ts': { excerpt: 'the first and last 4,000 units' },
  'areas/articles/service/feed-texts.ts': {
    preformatted: '200,000 units of a text, a million of a feed',
  },
  'areas/articles/subscribers/rendering.ts': { preformatted: '2 MiB of HTML, in 8 ms' },
  'areas/articles/rules/articles.ts': {
    canonicalJson: 'metadata: 16 KiB',
    excerpt: 'the first and last 4,000 units',
  },
  'areas/articles/service/exporting.ts': { withFrontMatter: 'facts of one article' },
  'areas/exports/queries/building.ts': { 'JSON.stringify': 'seven numbers' },
  'areas/exports/queries/ending.ts': { 'JSON.stringify': 'seven numbers' },
  'areas/exports/queries/exports.ts': { 'JSON.stringify': 'seven numbers' },
  'areas/exports/rules/index-page.ts': { slugify: 'a title: 300 characters' },
  'areas/exports/service/archive-writer.ts': { createHash: 'one article a turn: 4 MiB, in 20 ms' },
  'areas/exports/service/article-files.ts': { 'JSON.stringify': 'one article a turn: 4 MiB' },
  'areas/exports/service/stages.ts': { 'JSON.stringify': '500 edges, 100 comments, a manifest' },
  'areas/articles/views/articles.ts': {
    withFrontMatter: 'facts of one article; the text is only put behind them',
  },
  'areas/articles/operations/create-revision.ts': { readStored: 'metadata: 16 KiB' },
  'areas/articles/operations/read-diff.ts': { diffLines: 'in a thread, or two texts of 2 KiB' },
  'areas/search/queries/comment-documents.ts': {
    'JSON.stringify': 'the configurations of PostgreSQL',
  },
  'areas/search/queries/documents.ts': {
    'JSON.stringify': 'titles of 25 articles; the texts do not travel',
  },
  'areas/search/service/article-snippets.ts': {
    shownText: 'a piece of 12,000 units, five of 200,000: a turn between them',
    wordsLike: 'the same; the first 300 words and 4,000 places',
    matchesIn: '1,000 units around a place',
    plainText: '1,000 units around a place',
    foundSnippet: 'three places of a text',
  },
  'areas/search/service/search-comments.ts': {
    foundSnippet: 'a comment: 8,192 characters, a turn after each 32 KiB',
  },
  'areas/search/service/search-principals.ts': {
    matchesIn: 'a bio: 2,000 characters, a turn after each 32 KiB',
  },
  'areas/search/rules/search-page.ts': {
    createHash: 'a query: 200 characters',
    'JSON.parse': 'a cursor: part of an address',
    'JSON.stringify': 'a cursor',
  },
  'areas/sitemap/rules.ts': {
    hash: 'a mark of the service',
    'JSON.stringify': 'a mark of the service',
  },
  'areas/search/rules/snippets.ts': {
    matchesIn: 'a bio: 2,000 characters',
    shownText: 'a bio: 2,000 characters',
  },
  'areas/search/rules/spelling.ts': { createHash: 'a word of a title' },
  'areas/feed/rules/topics.ts': { createHash: 'a topic: 50 characters' },
  'areas/identity/operations/list-tokens.ts': { findTokens: 'the name of a token: 80 characters' },
  'areas/media/operations/create-media.ts': { canonicalJson: 'a record: 64 KiB' },
  'areas/log/rules/leaves.ts': { canonicalJson: 'ids, hashes and times: under 1 KiB' },
  'areas/moderation/queries/decisions.ts': { 'JSON.stringify': 'a body of 64 KiB' },
  'areas/moderation/queries/audit.ts': { 'JSON.stringify': 'a body of 64 KiB' },
  'areas/moderation/rules/audit.ts': { canonicalJson: 'a body of 64 KiB' },
  'areas/social/queries/threads.ts': { 'JSON.stringify': 'eight rows of two numbers' },
  'areas/social/operations/read-graph.ts': { 'JSON.stringify': 'a cursor' },
  'http/free-port.ts': { 'JSON.stringify': 'an address' },
  'http/write/idempotency.ts': { canonicalHash: 'in pieces', createHash: 'a key' },
  'http/input/check.ts': { 'JSON.stringify': 'metadata, of a body of 8 MiB' },
  'http/input/headers.ts': { findTokens: 'a header: 16 KiB' },
  'http/invoke.ts': { 'JSON.parse': 'an answer of a write', 'JSON.stringify': 'a page’s own call' },
  'web/shown-again.ts': { 'JSON.stringify': 'a list of 30 works without their texts' },
  'web/pictures/layouts.ts': { hash: '100 KB of numbers', 'JSON.stringify': '100 KB of numbers' },
  'http/metrics/index.ts': { hash: 'figures of the service' },
  'http/payload.ts': { hash: '64 Ki units; longer ones in pieces' },
  'http/respond.ts': {
    'JSON.stringify': 'a problem: 50 faults',
    maskTokens: 'a problem: 50 faults',
  },
  'http/server.ts': { maskTokens: 'a path: 16 KiB' },
  'lib/bucket-secret.ts': { hash: 'a secret: 46 characters' },
  'lib/canonical-json.ts': {
    canonicalHash: 'in pieces',
    canonicalJson: '64 Ki units; longer ones in pieces',
    hash: '64 Ki units; longer ones in pieces',
  },
  'lib/ed25519.ts': { hash: 'seven lines that are signed' },
  'lib/excerpt.ts': {
    plainBlocks: '4,000 units and 4,000 of definitions',
    plainText: '4,000 units',
  },
  'text/json/json-input.ts': { 'JSON.parse': '32 KiB: longer bodies are read in a thread' },
  'text/json/scan.ts': { 'JSON.parse': 'the name of a member, of 32 KiB' },
  'lib/id.ts': { createHash: 'a name or a key' },
  'lib/list-cursor.ts': {
    'JSON.parse': 'a cursor: part of an address',
    'JSON.stringify': 'a cursor',
  },
  'areas/identity/rules/nonce.ts': { hash: 'a nonce' },
  'areas/identity/rules/sessions.ts': { hash: 'the 20 digits of a recovery code' },
  'runtime/own-user.ts': { createHash: 'a path of the service' },
  'lib/pieces.ts': { createHash: 'in pieces', 'JSON.stringify': 'a piece: 32 Ki units' },
  'text/spotlight/spotlight.ts': { signalsIn: '2 KiB: longer answers are marked in a thread' },
  'lib/sha256.ts': { hash: 'leaves, nodes and keys of a log: under 1 KiB' },
  'lib/slug.ts': {
    readStored: 'metadata: 16 KiB; in lists a turn after each 32 KiB',
    slugify: 'a title: 300 characters',
  },
  'lib/stored-json.ts': {
    'JSON.parse': 'metadata: 16 KiB',
    readStored: 'metadata of an answer of 64 KiB; longer ones take the text as it is',
  },
  'lib/token-text.ts': {
    findTokens: '32 KiB: longer bodies are read in a thread',
    hash: 'a token',
  },
  'event-log/append-event.ts': { 'JSON.stringify': 'ids' },
  'text/json/reading.ts': { readJson: '32 KiB: longer bodies are read in a thread' },
  'text/json/read-json.ts': {
    parseJson: '32 KiB: longer bodies are read in a thread',
    readJson: '32 KiB: longer bodies are read in a thread',
    tokenPointers: '32 KiB: longer bodies are read in a thread',
  },
  'text/rendering.ts': { createHash: 'two addresses of the service' },
  'text/diff-lines.ts': { diffLines: 'two texts of 2 KiB; longer ones in a thread' },
  'text/diffing.ts': { diffLines: 'two texts of 2 KiB' },
  'web/forms/answer.ts': { 'JSON.stringify': 'one page of settings' },
  'web/components/notification.ts': { excerpt: 'a comment has at most 8,192 characters' },
  'web/asset-path.ts': { hash: 'files of the service' },
  'web/citations.ts': { 'JSON.stringify': 'a title and a name: 420 characters' },
  'web/bundle-islands.ts': {
    hash: 'files of the service',
    'JSON.stringify': 'files of the service',
    'JSON.parse': 'files of the service',
  },
  'web/feeds/article-feeds.ts': { placed: 'a million units of a feed' },
  'web/feeds/comment-feed.ts': { placed: 'thirty comments' },
  'web/html.ts': { 'JSON.stringify': 'facts of one article' },
  'web/metadata.ts': { readStored: 'metadata: 16 KiB' },
  'web/oembed.ts': { 'JSON.stringify': 'facts of one article', writable: 'facts of one article' },
  'web/pages/article.ts': { 'JSON.stringify': 'a record without its text, and 200 links' },
  'web/pages/moderation-audit.ts': { 'JSON.stringify': 'facts of one action' },
  'web/pages/moderation-standing.ts': { 'JSON.stringify': 'the claims of a page' },
  'web/pages/preview.ts': { excerpt: 'the first and last 4,000 units' },
  'web/pages/publish.ts': { excerpt: 'the first and last 4,000 units' },
  'web/pages/review.ts': { excerpt: 'the first and last 4,000 units' },
  'web/pages/problem.ts': { maskTokens: 'a problem: 50 faults' },
  'web/short-texts.ts': {
    hash: 'a comment: 8,192 characters',
    preformatted: 'a comment: 8,192 characters',
  },
  'web/reference/operations.ts': { 'JSON.stringify': 'examples of the contract' },
  'web/xml.ts': { writable: 'facts of one article' },
};

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
    'Say what bounds the text, work on it in pieces (lib/pieces.ts), or do it in a thread (text/).',
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
      file.startsWith('text/markdown/') ||
      [
        'text/render.ts',
        'text/detect-language.ts',
        'text/spotlight/spotlight-worker.ts',
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
