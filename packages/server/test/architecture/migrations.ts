// Rules for migrations: what a schema must look like so that it can be distributed by bucket one day.
import type { Finding } from './statements.ts';
import type { Source } from './sources.ts';

interface Statement {
  readonly text: string;
  /** The comments directly above it. */
  readonly comments: string;
  readonly line: number;
}

interface Constraint {
  readonly name: string | undefined;
  readonly kind: string;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
}

const suffixes: Readonly<Record<string, string>> = {
  'primary key': 'pkey',
  unique: 'key',
  'foreign key': 'fkey',
  check: 'check',
  exclude: 'excl',
};

const noBucket = /--\s*no bucket:\s*\S/;

/** Cut at semicolons outside strings and dollar quotes. */
function statementsOf(text: string): Statement[] {
  const pieces = text.matchAll(/(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g);
  return [...pieces].flatMap((piece) => {
    const body = piece[0].replace(/^\s*(?:--[^\n]*\n\s*)*/, '');
    const comments = piece[0].slice(0, piece[0].length - body.length);
    const line = text.slice(0, piece.index + comments.length).split('\n').length;
    const bare = body
      .replace(/--[^\n]*/g, '')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase();
    return bare === '' ? [] : [{ text: bare, comments, line }];
  });
}

function columnsOf(list: string): string[] {
  return list.split(',').map((column) => column.trim().split(' ')[0] ?? '');
}

/** Cut at commas outside parentheses. */
function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function constraintOf(part: string): Constraint | undefined {
  const match =
    /^(?:add )?(?:constraint (?<name>\w+) )?(?<kind>primary key|unique|foreign key|check|exclude)\b(?: nulls not distinct)?[^(]*\((?<columns>[^()]*)\)?(?:.*?\breferences \w+ \((?<referenced>[^()]*)\))?/.exec(
      part,
    );
  if (!match?.groups) return undefined;
  const { name, kind = '', columns = '', referenced = '' } = match.groups;
  return { name, kind, columns: columnsOf(columns), referenced: columnsOf(referenced) };
}

/** `<table>_<columns>_<kind>`, where a long list of columns may be shortened to those that tell. */
function isWellNamed(table: string, { name, kind, columns }: Constraint): boolean {
  const suffix = suffixes[kind] ?? '';
  if (name === undefined || !name.startsWith(`${table}_`) || !name.endsWith(`_${suffix}`))
    return false;
  let middle = name.slice(table.length + 1, -suffix.length);
  if (kind === 'check' || kind === 'exclude') return middle.length > 1;
  if (middle === '') return false;
  for (const column of columns) {
    if (middle.startsWith(`${column}_`)) middle = middle.slice(column.length + 1);
  }
  return middle === '';
}

function lintConstraint(table: string, constraint: Constraint, bucketed: boolean): string[] {
  const broken: string[] = [];
  if (!isWellNamed(table, constraint)) broken.push('constraint-name');
  if (!bucketed || constraint.kind === 'check' || constraint.kind === 'exclude') return broken;
  if (constraint.columns[0] !== 'bucket') broken.push('bucket-first');
  if (constraint.kind === 'foreign key' && constraint.referenced[0] !== 'bucket')
    broken.push('bucket-first');
  return broken;
}

function lintColumn(column: string): string[] {
  const [name = '', type = ''] = column
    .replace(/^add (?:column )?(?:if not exists )?/, '')
    .split(' ');
  const isId = /^(?:id|\w+_id)$/.test(name) && type === 'text';
  const rules = [
    ['constraint-name', / (?:primary key|unique|references|check)\b/.test(column)],
    ['id-collation', isId && !column.includes('collate "c"')],
    ['timestamp-type', type.startsWith('timestamp') && type !== 'timestamptz(3)'],
    ['sequence', /^(?:small|big)?serial$/.test(type) || / as identity\b/.test(column)],
  ] as const;
  return rules.filter(([, broken]) => broken).map(([rule]) => rule);
}

function lintParts(table: string, parts: readonly string[], bucketed: boolean): string[] {
  return parts.flatMap((part) => {
    const constraint = constraintOf(part);
    return constraint ? lintConstraint(table, constraint, bucketed) : lintColumn(part);
  });
}

function lintTable({ text, comments }: Statement): string[] {
  const match = /^create (?:unlogged )?table (?:if not exists )?(\w+) ?\((.*)\)[^()]*$/.exec(text);
  if (!match) return [];
  const [, table = '', body = ''] = match;
  const parts = partsOf(body);
  const bucketed = !noBucket.test(comments);
  const hasBucket = parts.some((part) => /^bucket smallint not null\b/.test(part));
  return [
    ...(bucketed && !hasBucket ? ['bucket-column'] : []),
    ...lintParts(table, parts, bucketed),
  ];
}

function lintChange({ text, comments }: Statement): string[] {
  const match = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(text);
  if (!match) return [];
  const [, table = '', changes = ''] = match;
  const added = partsOf(changes).filter((part) => part.startsWith('add '));
  return lintParts(table, added, !noBucket.test(comments));
}

function lintIndex({ text, comments }: Statement): string[] {
  const match =
    /^create (unique )?index (?:concurrently )?(?:if not exists )?(\w+) on (?:only )?(\w+)(?: using \w+)? ?\((.*)$/.exec(
      text,
    );
  if (!match) return [];
  const [, unique, name = '', table = '', columns = ''] = match;
  const wellNamed = name.startsWith(`${table}_`) && /_(?:idx|key)$/.test(name);
  const spread = unique !== undefined && !noBucket.test(comments) && !columns.startsWith('bucket');
  return [...(wellNamed ? [] : ['constraint-name']), ...(spread ? ['bucket-first'] : [])];
}

function lintStatement(statement: Statement): string[] {
  const { text } = statement;
  return [
    ...(/^create (?:or replace )?(?:constraint )?trigger\b/.test(text) ? ['trigger'] : []),
    ...(/^create sequence\b|\bnextval ?\(/.test(text) ? ['sequence'] : []),
    ...lintTable(statement),
    ...lintChange(statement),
    ...lintIndex(statement),
  ];
}

/** Up to this one, migrations ran before any database was distributed. */
const lastBefore = 74;

/** A new table is distributed after its statement: until then it may not refer to a distributed one. */
function keysInTable({ file }: Source, { text }: Statement): string[] {
  const number = Number(/\/(\d+)[-_][^/]*$/.exec(file)?.[1]);
  if (!(number > lastBefore) || !/^create (?:unlogged )?table\b/.test(text)) return [];
  return /\bforeign key\b|\breferences\b/.test(text) ? ['key-in-table'] : [];
}

/** Every broken rule in migrations. Files are numbered and each contains whole statements. */
export function lintMigrations(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) => {
    const { file, text } = source;
    return [
      ...(/\/\d{4,}[-_][a-z0-9_-]+\.sql$/.test(file)
        ? []
        : [{ file, line: 1, rule: 'migration-name' }]),
      ...statementsOf(text).flatMap((statement) =>
        [...lintStatement(statement), ...keysInTable(source, statement)].map((rule) => ({
          file,
          line: statement.line,
          rule,
        })),
      ),
    ];
  });
}
