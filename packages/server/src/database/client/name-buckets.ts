// Names the bucket as a value in each table of a statement, so that a distributed database finds its shards. A
// coordinator chooses them by what each table's own condition says of `bucket`: it does not follow an equality
// into a subquery, or from a list of keys to what is joined to it, and would ask all shards.
import type { Statement } from './sql.ts';

interface Routed {
  readonly name: string;
  readonly text: string;
}

const everyBucket = /--\s*every bucket:/;
/** Text with parentheses in it, but none within those. */
const inner = '[^()]*(?:\\([^()]*\\)[^()]*)*';
const list =
  /\bunnest\(\s*(?<value>\$\d+::smallint\[\])[^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:with ordinality\s+)?as\s+(?<alias>\w+)\s*\(\s*bucket\b/g;
/** Tables, subqueries and common table expressions whose rows are of one bucket, or of some. */
const pinned = [
  /\b(?<alias>\w+)\.bucket = (?<value>\$\d+(?!\d)|any\(\$\d+(?:::smallint\[\])?\))/g,
  new RegExp(
    `\\(\\s*select\\b[^()]*\\bwhere (?:\\w+\\.)?bucket = (?<value>\\$\\d+)(?!\\d)${inner}\\)\\s+as\\s+(?<alias>\\w+)`,
    'g',
  ),
  /\b(?<alias>\w+) as (?:materialized )?\(\s*select\b[^()]*\bwhere (?:\w+\.)?bucket = (?<value>\$\d+)(?!\d)/g,
];
const equality = /(?<![\w.])(?:(\w+)\.)?bucket = (\w+)\.bucket\b/g;
const lateral = new RegExp(
  `\\(\\s*select\\b[^()]*\\bwhere bucket = (\\w+)\\.bucket\\b${inner}\\)\\s+as\\s+(\\w+)`,
  'g',
);
const declared =
  /(?:\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?[a-z_]\w*\s+(?:as\s+)?|\)\s+as\s+)([a-z_]\w*)\b/g;

/** Aliases that several tables have: what is known of one says nothing of the others. */
function ambiguous(text: string): Set<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const [, alias = ''] of text.matchAll(declared)) (seen.has(alias) ? twice : seen).add(alias);
  return twice;
}

type Values = Map<string, string>;

function givenIn(text: string): Values {
  const known: Values = new Map();
  for (const { groups } of text.matchAll(list))
    known.set(groups?.['alias'] ?? '', `any(${groups?.['value']})`);
  for (const { groups } of pinned.flatMap((pattern) => [...text.matchAll(pattern)]))
    known.set(groups?.['alias'] ?? '', groups?.['value'] ?? '');
  return known;
}

/** Adds the aliases whose bucket equals a known one, as long as there are more. */
function follow(equal: readonly (readonly string[])[], known: Values): void {
  for (let before = -1; before < known.size;) {
    before = known.size;
    for (const pair of equal) {
      const value = pair.map((alias) => known.get(alias)).find((one) => one !== undefined);
      for (const alias of value === undefined ? [] : pair)
        known.set(alias, known.get(alias) ?? value ?? '');
    }
  }
}

/** The value that `bucket` has in each alias, as a condition: given by a parameter, or equal to one that is. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const odd = ambiguous(text);
  const known = givenIn(text);
  for (const alias of odd) known.delete(alias);
  const equal = [...text.matchAll(equality), ...text.matchAll(lateral)].map(
    ([, left = '', right = '']) => [left, right].filter((one) => one !== '' && !odd.has(one)),
  );
  follow(equal, known);
  return known;
}

/** Returns the text with the value beside each equality of buckets whose value is known. */
export function withNamedBuckets(text: string): string {
  if (everyBucket.test(text) || !text.includes('.bucket')) return text;
  const known = valuesOf(text);
  const lists = new Set(Array.from(text.matchAll(list), ({ groups }) => groups?.['alias']));
  return text.replaceAll(equality, (condition, left: string | undefined, right: string) => {
    const value = known.get(right) ?? (left === undefined ? undefined : known.get(left));
    if (value === undefined) return condition;
    const table = left !== undefined && lists.has(left) ? right : left;
    const column = table === undefined ? 'bucket' : `${table}.bucket`;
    return `${condition} and ${column} = ${value}`;
  });
}

const routed = new Map<string, Routed>();

/** Returns the statement as a distributed database should get it; each text is rewritten once. */
export function nameBuckets<R>(asked: Statement<R>): Statement<R> {
  const statement = asked.overServers?.() ?? asked;
  let made = routed.get(statement.name);
  if (made === undefined) {
    const text = withNamedBuckets(statement.text);
    // Another name: a connection may know the first one.
    made = { name: text === statement.text ? statement.name : `${statement.name}r`, text };
    routed.set(statement.name, made);
  }
  return { ...statement, ...made, takesLong: asked.takesLong === true };
}
