// Rules for SQL statements that must still work when the tables are spread over many machines.
import { onOneServer, refusedShapes } from './refused-shapes.ts';
import { isTest, templatesOf } from './sources.ts';
import type { Source } from './sources.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

interface Block {
  /** One query or statement, without the queries inside it. */
  readonly text: string;
}

interface Table {
  readonly name: string;
  readonly alias: string;
}

const everyBucket = /--\s*every bucket:\s*\S/;
const notAnAlias = new Set(
  'where on set join left right inner full cross natural order group having limit for using values select default returning union window as when then'.split(
    ' ',
  ),
);
const volatile =
  /\b(?:now|random|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|gen_random_uuid|uuidv\d|nextval)\s*\(|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/;

/** Without comments and with empty strings, so that words in them say nothing. */
function bare(text: string): string {
  return text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase();
}

/** Cuts a statement into its queries: what is in parentheses and begins as a query is one of its own. */
function blocksOf(statement: string): Block[] {
  const blocks: Block[] = [];
  const cut = (text: string): string => {
    const inner = /\((?<body>[^()]*)\)/.exec(text);
    if (inner === null) return text;
    const body = inner.groups?.['body'] ?? '';
    const isQuery = /^\s*(?:select|insert|update|delete|with|merge)\b/.test(body);
    if (isQuery) blocks.push({ text: opened(body) });
    const instead = isQuery ? '⟨⟩' : `⟨${body}⟩`;
    return cut(text.slice(0, inner.index) + instead + text.slice(inner.index + inner[0].length));
  };
  const opened = (text: string): string => text.replaceAll('⟨', '(').replaceAll('⟩', ')');
  blocks.push({ text: opened(cut(statement)) });
  return blocks;
}

function commonTables(statement: string): Set<string> {
  const named = statement.matchAll(
    /(?:\bwith(?:\s+recursive)?|,)\s+(\w+)(?:\s*\([^()]*\))?\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/g,
  );
  return new Set([...named].map((match) => match[1] ?? ''));
}

/** The tables that a block reads or writes: no common table expressions, functions or catalogues. */
function tablesOf({ text }: Block, known: ReadonlySet<string>): Table[] {
  const plain = text
    .replace(/\b(?:extract|substring|trim|overlay|position)\s*\([^()]*\)/g, 'f()')
    .replace(/\bis\s+(?:not\s+)?distinct\s+from\b/g, '=')
    .replace(/\b(?:for\s+(?:no\s+key\s+)?|do\s+)update\b/g, '')
    // A list after `from` is a join without the word.
    .replace(/\bfrom\s+[^()]*?(?=\bwhere\b|\bjoin\b|\bgroup\b|\border\b|\blimit\b|$)/g, (list) =>
      list.replaceAll(',', ' join '),
    );
  const referred = plain.matchAll(
    /\b(from|join|update|into|using)\s+(?:only\s+|lateral\s+)?([a-z_][\w.]*)(?!\w)(\s*\()?(?:\s+(?:as\s+)?([a-z_]\w*))?/g,
  );
  return [...referred]
    .filter(([, verb, name = '', call]) => {
      const isFunction = call !== undefined && verb !== 'into';
      const isCatalogue = /^(?:pg_|information_schema|graphile_worker\b)/.test(name);
      return !isFunction && !isCatalogue && !known.has(name) && !notAnAlias.has(name);
    })
    .map(([, , name = '', , alias]) => ({
      name,
      alias: alias === undefined || notAnAlias.has(alias) ? name : alias,
    }));
}

function namesBucket(block: Block, tables: readonly Table[]): boolean {
  const inserted = /\binsert\s+into\s+[\w.]+(?:\s+as\s+\w+)?\s*\(([^()]*)\)/.exec(block.text);
  if (inserted) return /\bbucket\b/.test(inserted[1] ?? '');
  const conditions = /\b(?:where|on|using)\b[\s\S]*$/.exec(block.text)?.[0] ?? '';
  if (/\busing\s*\([^()]*\bbucket\b/.test(conditions)) return true;
  if (tables.length === 1) return /\bbucket\b/.test(conditions);
  return tables.every(({ alias }) => new RegExp(`\\b${alias}\\.bucket\\b`).test(conditions));
}

/** Somewhere the buckets are given from outside: a join over `bucket` alone still reads all of them. */
function pinsBucket(statement: string, tables: readonly Table[]): boolean {
  const given =
    /\bbucket\s*=\s*(?:any\s*\(\s*)?\$|\bbucket\s+in\s*\(|\(\s*(?:\w+\.)?bucket\s*,[^()]*\)\s*(?:=|in\b)/;
  if (given.test(statement)) return true;
  const aliases = new Set(tables.map(({ alias }) => alias));
  const joined = statement.matchAll(/\b(\w+)\.bucket\s*=\s*(\w+)\.bucket\b/g);
  return [...joined].some(([, one = '', other = '']) => !aliases.has(one) || !aliases.has(other));
}

/** True when a statement may touch rows of buckets that it does not name. */
function forgetsBucket(statement: string, blocks: readonly Block[]): boolean {
  const known = commonTables(statement);
  const used = blocks.map((block) => ({ block, tables: tablesOf(block, known) }));
  const touching = used.filter(({ tables }) => tables.length > 0);
  if (touching.some(({ block, tables }) => !namesBucket(block, tables))) return true;
  const read = touching.filter(({ block }) => !/\binsert\s+into\b/.test(block.text));
  return (
    read.length > 0 &&
    !pinsBucket(
      statement,
      read.flatMap(({ tables }) => tables),
    )
  );
}

function isStatement(text: string): boolean {
  return /^\s*(?:select|insert|update|delete|with|merge)\b/.test(text);
}

function setsVolatile({ text }: Block): boolean {
  const sets = text.matchAll(
    /\bset\b(?!\s+local\b)([\s\S]*?)(?=\bwhere\b|\bfrom\b|\breturning\b|$)/g,
  );
  return [...sets].some(([, values = '']) => volatile.test(values));
}

/** A query in parentheses names its columns itself, so all of them may be selected by its alias. */
function selectsStar(statement: string): boolean {
  const stars = statement.matchAll(
    /\b(?:select|returning)\s+(?:distinct\s+)?(?:(\w+)\.)?\*|,\s*(\w+)\.\*/g,
  );
  return [...stars].some(([, first, later]) => {
    const alias = first ?? later;
    return alias === undefined || !new RegExp(`\\)\\s*as\\s+${alias}\\b`).test(statement);
  });
}

type Rule = readonly [name: string, isBroken: (statement: string) => boolean];

const refuses = (name: string, pattern: RegExp): Rule => [name, (text) => pattern.test(text)];

const anywhere: readonly Rule[] = [
  ['select-star', selectsStar],
  refuses('offset', /\boffset\s+[$\d(]/),
  refuses(
    'sequence',
    /\b(?:nextval|currval|setval|lastval)\s*\(|\bcreate\s+sequence\b|\b(?:big|small)?serial\b|\bas\s+identity\b/,
  ),
  // The numbers stand in database/advisory-locks.ts, where two locks with the same one are seen.
  refuses('advisory-number', /\bpg_(?:try_)?advisory_\w+\(\s*\d/),
  refuses('trigger', /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b/),
];

const kernelOnly: readonly Rule[] = [
  refuses('advisory-lock', /\bpg_(?:try_)?advisory_\w+/),
  refuses('notify', /\bpg_notify\s*\(|^\s*(?:un)?listen\b|^\s*notify\b/),
];

/** One bucket's row may be locked by an operation; many rows at once only by the pipeline, in an order. */
function locksMany({ text }: Block): boolean {
  if (/\bskip\s+locked\b/.test(text)) return true;
  return (
    /\bfor\s+(?:no\s+key\s+)?update\b|\bfor\s+(?:key\s+)?share\b/.test(text) &&
    !/\bbucket\s*=\s*\$/.test(text)
  );
}

/** The form for one server takes the locks in the order of the keys; over several, nothing can. */
const mayLockMany = (text: string, folder: string) => folder === 'outbox' || onOneServer.test(text);

/** The rules that a statement breaks in a folder of packages/server/src. */
function lintStatement(text: string, folder: string): string[] {
  const statement = bare(text);
  const blocks = blocksOf(statement);
  const isKernel = ['database', 'http', 'outbox', 'event-log'].includes(folder);
  const broken = [...anywhere, ...(isKernel ? [] : kernelOnly)]
    .filter(([, isBroken]) => isBroken(statement))
    .map(([rule]) => rule);
  if (blocks.some(setsVolatile)) broken.push('volatile-set');
  if (!mayLockMany(text, folder) && blocks.some(locksMany)) broken.push('lock');
  if (folder !== 'database') broken.push(...refusedShapes(statement, text));
  const onAPath = ['areas', 'http', 'event-log', 'web'].includes(folder) && isStatement(statement);
  if (onAPath && !everyBucket.test(text) && forgetsBucket(statement, blocks)) broken.push('bucket');
  return broken;
}

function folderOf(file: string): string {
  return /\bserver\/src\/([^/]+)\//.exec(file)?.[1] ?? '';
}

/** Every broken rule in the statements of the server's sources, tests aside. */
export function lintStatements(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => !isTest(source) && folderOf(source.file) !== '')
    .flatMap((source) =>
      templatesOf(source).flatMap(({ text, line }) =>
        lintStatement(text, folderOf(source.file)).map((rule) => ({
          file: source.file,
          line,
          rule,
        })),
      ),
    );
}

/** The tables that a source writes, for the rule that only its owner writes a table. */
export function tablesWritten(source: Source): string[] {
  const written = templatesOf(source).flatMap(({ text }) => [
    ...bare(text).matchAll(
      /\b(?:insert\s+into|(?<!for\s|key\s|do\s)update|delete\s+from)\s+(?:only\s+)?([a-z_]\w*)/g,
    ),
  ]);
  return [...new Set(written.map((match) => match[1] ?? ''))].filter(
    (name) => !notAnAlias.has(name),
  );
}
