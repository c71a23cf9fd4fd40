// Groups of imports that the rows of the borders name, and how rows of the server are written.
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

export const contract = '@colophon/contract';
export const islands = '@colophon/islands';
export const shareImages = '@colophon/share-images';
export const text = '@colophon/text';
export const tlog = '@colophon/tlog';
/** Leaves of the server, and those about texts. The door of texts is another name. */
export const leaves = ['#lib/*', '@colophon/text/lib/*'];
export const compute = [
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:readline',
  'node:stream',
  'node:stream/*',
  'node:timers/promises',
  'node:url',
  'node:util',
  'node:zlib',
];
export const disk = ['node:fs', 'node:fs/promises', 'node:os', 'node:path'];
export const processes = ['node:child_process', 'node:module'];
export const pageTools = ['feedsmith', 'ghtml'];
const texts = ['cli-table3', 'diff', 'fast-wrap-ansi', 'markdown-it', 'yaml'];
export const terminalTools = ['@clack/prompts', '@commander-js/*', ...texts];
export const fileFormats = ['hast*', 'mdast*', 'sax', 'smol-toml', 'yaml', 'yauzl'];
const inBrowsers = ['@codemirror/*', '@lezer/*', '@simplewebauthn/browser', 'idb', 'node-diff3'];
export const network = ['node:http', 'node:https', 'node:net'];
const area = [contract, '#database', '#http', ...leaves, '#outbox', 'node:crypto'];

export const row = (
  folder: string,
  may: readonly string[],
  why: string,
  types?: readonly string[],
) => ({
  files: [`server/src/${folder}/**`],
  may,
  why,
  ...(types === undefined ? {} : { types }),
});

export const textRows: readonly Border[] = [
  {
    files: ['text/src/**'],
    may: [
      'diff',
      'eld',
      'eld/*',
      'highlight.js',
      'highlight.js/*',
      'markdown-it',
      'markdown-it-footnote',
      'node:v8',
      'piscina',
      ...compute,
    ],
    why: 'Work on texts runs in threads.',
  },
  {
    files: ['text/src/lib/**'],
    may: ['node:crypto', 'node:worker_threads', 'node:zlib', 'bcp-47', 'markdown-it'],
    why: 'Leaves do no input or output. One reports in which thread work begins.',
  },
];

export const islandsRows: readonly Border[] = [
  {
    files: ['islands/src/**'],
    may: ['esbuild', 'node:crypto', 'node:fs/promises', 'node:path', 'node:url'],
    why: 'It bundles the scripts of pages.',
  },
  {
    files: ['islands/src/browser/**'],
    may: [
      '@colophon/text/lib/sentence',
      '@colophon/text/lib/word-count',
      '@colophon/text/lib/word-pieces',
      '@colophon/text/lib/writing-direction',
      '@colophon/text/markdown',
      '@colophon/sdk',
      'diff',
      ...inBrowsers,
    ],
    why: 'They run in browsers.',
  },
];

export const outgoingRow = row(
  'outgoing',
  [...leaves, tlog, 'ipaddr.js', 'node:dns', ...compute, ...network],
  'It asks the witnesses that the operator named, and nobody else.',
);

export const tracingRow = row(
  'tracing',
  [contract, '@opentelemetry/*', 'node:async_hooks', 'node:timers/promises'],
  'It is loaded only where traces are recorded.',
  ['#config', '#database'],
);

export const backupRow = row(
  'backup',
  [
    '#database',
    '#ledger',
    ...leaves,
    '#outbox',
    '#runtime',
    '#storage',
    'age-encryption',
    'modern-tar',
    ...compute,
    ...disk,
  ],
  'It copies rows and files, whatever they mean.',
  ['#config'],
);

export const adminRow = row(
  'admin',
  [
    contract,
    '#apply-ledger',
    '#articles',
    '#backup',
    '#config',
    '#database',
    '#event-log',
    '#examinations',
    '#identity',
    '#ledger',
    ...leaves,
    '#log',
    '#moderation',
    '#outbox',
    '#reindex',
    '#services',
    '#share-images',
    '#storage',
    '#subscribers',
    ...compute,
    ...disk,
  ],
  'Commands use the doors of areas.',
);

export const areaRow = (
  name: string,
  more: readonly string[],
  why: string,
  types: readonly string[] = [],
) => row(`areas/${name}`, [...area, ...more], why, ['#config', ...types]);

export const parts = (name: string) => [
  `server/src/areas/*/${name}.ts`,
  `server/src/areas/*/${name}/**`,
];

export const identityRow = areaRow(
  'identity',
  ['#event-log', '@simplewebauthn/server', '@simplewebauthn/server/helpers', 'bowser', 'ipaddr.js'],
  'The lowest area.',
  ['#ledger'],
);

export const logRow = areaRow(
  'log',
  ['#moderation', '#outgoing', '#reindex', '#storage', tlog, ...compute, ...disk],
  'Derived. It keeps its key outside of the database.',
  ['#tracing'],
);
