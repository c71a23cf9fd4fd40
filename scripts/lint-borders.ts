// The borders as lint rules, and as a page: both are made from the rows in borders.ts.
import { borders, folderOf } from './borders.ts';
import { compute, disk, network, processes } from './border-imports.ts';
import type { Border } from './border-imports.ts';

const climbing = {
  flat: String.raw`^(\./[^/]+/.*|\.\./.*)$`,
  contract: String.raw`^\.\./\.\./.*$`,
  server: String.raw`^\.\./(\.\./.*|(areas|identity|media|articles|social|moderation|search|feed|sitemap|share-images|events|home|log)/.*)$`,
};

/** A pattern of `no-restricted-imports` excludes a name only with everything above it. */
function exceptions(name: string): readonly string[] {
  const steps = name.replace(/\/\*$/, '/**').split('/');
  return steps.map((_, index) => `!${steps.slice(0, index + 1).join('/')}`);
}

const escapeName = (name: string) =>
  name.replaceAll(/[.+]/g, String.raw`\$&`).replaceAll('*', '.*');

/** Patterns for parts of the area that a file stands in. */
function siblings(names: readonly string[], rest: object): readonly object[] {
  const regex = String.raw`^\.{1,2}/(${names.join('|')})(\.ts|/.*)$`;
  return names.length === 0 ? [] : [{ regex, ...rest }];
}

/** A pattern for packages of the workspace of which a row names parts only: `exceptions` would open their doors. */
function closedDoors(names: readonly string[], why: string): readonly object[] {
  const parts = names.filter((name) => /^@colophon\/[^/]+\//.test(name));
  const doors = new Set(parts.map((name) => name.split('/').slice(0, 2).join('/')));
  const closed = [...doors].filter((door) => !names.includes(door)).map(escapeName);
  const message = `${why} Only parts of that package are open to it.`;
  return closed.length === 0 ? [] : [{ regex: `^(${closed.join('|')})$`, message }];
}

/** The pattern of relative paths that leave the folder, or enter one below it without its door. */
function leavingOf(files: readonly string[]): string {
  if (files.includes('server/src/*.ts')) return climbing.flat;
  if (files.includes('share-images/src/**')) return climbing.flat;
  if (files.includes('text/src/lib/**')) return climbing.flat;
  return files.includes('contract/src/**') ? climbing.contract : climbing.server;
}

function overrideOf(border: Border): object {
  const { files, may, types = [], only = {}, own = { none: [], types: [] }, why } = border;
  const allowed = [...new Set([...may, ...types, ...Object.keys(only)].flatMap(exceptions))];
  const typesOnly = types.filter((name) => !Object.hasOwn(only, name));
  const [workspace] = (files[0] ?? '').split('/');
  const sdk = workspace === 'sdk';
  return {
    files: files.map((file) => `packages/${file}`),
    excludeFiles: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: Object.entries(only).map(([name, allowImportNames]) => ({
            name,
            allowImportNames,
            allowTypeImports: true,
            message: `${folderOf(border)} imports only types and ${allowImportNames.join(', ')} from ${name}.`,
          })),
          patterns: [
            ...(sdk
              ? []
              : [
                  {
                    regex: leavingOf(files),
                    message: 'Leave a folder by its #name, enter it by its door.',
                  },
                ]),
            ...siblings(own.none, { message: 'This part of an area cannot import that one.' }),
            ...siblings(own.types, {
              allowTypeImports: true,
              message: 'Import only types from that part of the area.',
            }),
            ...closedDoors([...may, ...types], why),
            // Before the group: what a pattern lets through is not looked at again.
            ...(typesOnly.length === 0
              ? []
              : [
                  {
                    regex: `^(${typesOnly.map(escapeName).join('|')})$`,
                    allowTypeImports: true,
                    message: 'It is passed as a parameter; import only its type.',
                  },
                ]),
            {
              group: ['**', '!./**', ...(sdk ? [] : ['!../**']), ...allowed],
              message: `${why} See the row of ${folderOf(border)} in scripts/borders.ts.`,
            },
          ],
        },
      ],
    },
  };
}

/** .oxlintrc.borders.json, which .oxlintrc.json extends: one override for each row. */
export function lintedBorders(): string {
  const rows = borders.map((border) => `    ${JSON.stringify(overrideOf(border))}`);
  return `{\n  "overrides": [\n${rows.join(',\n')}\n  ]\n}\n`;
}

const listOf = (names: readonly string[]) =>
  names.length === 0 ? '' : names.map((name) => `\`${name}\``).join(' ');

/** The groups of modules of Node.js that the page names once. */
const groups = { compute, disk, network, processes } as const;

/** Returns the names, with the name of a group in place of its modules. */
function groupedList(names: readonly string[]): string {
  const whole = Object.entries(groups).filter(([, modules]) =>
    modules.every((name) => names.includes(name)),
  );
  const inGroups = new Set(whole.flatMap(([, modules]) => modules));
  const alone = [...new Set(names)].filter((name) => !inGroups.has(name));
  return [listOf(alone), ...whole.map(([group]) => `_${group}_`)].filter(Boolean).join(' ');
}

/** docs/borders.md. */
export function bordersPage(): string {
  const rows = borders.map(
    (border) =>
      `- \`${folderOf(border)}\`: ${border.why}\n  - may import: ${groupedList(border.may) || 'nothing'}${border.types === undefined ? '' : `\n  - types only: ${listOf(border.types)}`}`,
  );
  const groupRows = Object.entries(groups).map(
    ([group, modules]) => `- _${group}_: ${listOf(modules)}`,
  );
  return `# Borders

The allowed imports of each folder, without tests. Folders whose name contains \`/src\` are in \`packages/\`, all others in \`packages/server/src/\`. Where two rows fit, the later one applies. This page is generated from \`scripts/borders.ts\` by \`npm run docs\`; the linter refuses all other imports. A folder without a row may import nothing. Files of one folder import each other by relative paths; imports of other folders use a \`#name\` and the door of the folder, \`index.ts\`.

## Modules of Node.js

The rows name them in four groups:

${groupRows.join('\n')}

## Folders

${rows.join('\n')}
`;
}
