// Rules for SQL that a coordinator of a distributed database refuses, although every table names its bucket.

/** A statement that has a second form for such a database says so, and may do what it likes. */
export const onOneServer = /--\s*on one server:\s*\S/;
const neverNull = /--\s*never null:\s*\S/;

const anywhere: readonly (readonly [rule: string, pattern: RegExp])[] = [
  // Its planner counts the columns of a subquery.
  ['no-columns', /\bselect\s+(?:from|where|limit)\b/],
  // It evaluates what is not immutable before it knows the rows.
  [
    'stable-set',
    /\bset\b(?:(?!\bwhere\b|\bfrom\b)[\s\S])*?(?:[+-]\s*(?:interval\b|make_interval\s*\()|\bto_char\s*\(|\bto_timestamp\s*\(|\bdate_trunc\s*\()/,
  ],
  // It writes such a comparison wrongly once it has put in the values of the parameters.
  ['case-operand', /\bset\b(?:(?!\bwhere\b|\bfrom\b)[\s\S])*?\bcase\s+(?!when\b|\s)/],
  [
    'stable-returning',
    /\breturning\b(?:(?!\bfrom\b)[^()]|\()*?\b(?:to_char|json_build_object)\s*\(/,
  ],
];

/** The bodies of `lateral (…)`, parentheses inside them included. */
function lateralsOf(statement: string): string[] {
  return Array.from(statement.matchAll(/\blateral\s*\(/g), ({ index, 0: begin }) => {
    let depth = 1;
    let end = index + begin.length;
    for (; depth > 0 && end < statement.length; end += 1) {
      if (statement[end] === '(') depth += 1;
      if (statement[end] === ')') depth -= 1;
    }
    return statement.slice(index + begin.length, end - 1);
  });
}

/** `limit 1` of a look-up by the whole key only guides the planner. */
function limitsPerRow(statement: string): boolean {
  if (/\bbucket\s*=\s*\$/.test(statement) && !/\bunnest\s*\(/.test(statement)) return false;
  return lateralsOf(statement).some(
    (body) =>
      /\blimit\b/.test(body) &&
      !/\bbucket\s*=\s*\$/.test(body) &&
      (/\border\s+by\b/.test(body) || !/\bbucket\b/.test(body)),
  );
}

/** With null, the planner drops the table, and with it the bucket that all tables have in common. */
function comparesInLeftJoin(statement: string): boolean {
  const joins = statement.matchAll(
    /\bleft\s+join\s+(?!lateral)[a-z_]\w*(?:\s+as)?\s+\w+\s+on\b([\s\S]*?)(?=\b(?:left|inner|cross)\s+join\b|\bjoin\b|\bwhere\b|\bgroup\b|\border\b|$)/g,
  );
  return [...joins].some(([, on = '']) => /(?<!\bbucket)\s+=\s+\$/.test(on));
}

/** A subquery that is about one row of the statement around it, in a bucket that it does not name. */
function asksEveryShardPerRow(statement: string): boolean {
  const subqueries = statement.matchAll(
    /\(\s*select\b[^()]*(?:\([^()]*\)[^()]*)?\bfrom\s+[a-z_]\w*\s+(\w+)\b([^()]*)\)/g,
  );
  return [...subqueries].some(([, alias = '', conditions = '']) => {
    const others = Array.from(
      conditions.matchAll(/\b(\w+)\.\w+\s*=\s*(\w+)\.\w+/g),
      ([, left = '', right = '']) => [left, right],
    ).filter(([left, right]) => left !== right);
    const correlated = others.some(
      ([left = '', right = '']) => (left === alias) !== (right === alias),
    );
    return correlated && !/\bbucket\b/.test(conditions);
  });
}

/** What a query selects, from the word after its `select` up to this `from`. */
function selectedBefore(statement: string, from: number): string {
  let depth = 0;
  for (let at = from - 1; at >= 0 && depth >= 0; at -= 1) {
    if (statement[at] === ')') depth += 1;
    if (statement[at] === '(') depth -= 1;
    if (depth === 0 && /^select\b/.test(statement.slice(at, at + 7)))
      return statement.slice(at + 6, from);
  }
  return '';
}

/** A subquery for each value of a list that is joined to no table. */
function asksPerListedValue(statement: string): boolean {
  const lists = statement.matchAll(
    /\bfrom\s+unnest\s*\((?:[^()]|\([^()]*\))*\)\s*(?:as\s+)?(\w+)\s*\([^()]*\)(?!\s*(?:join|cross|left|inner)\b)/g,
  );
  return [...lists].some(({ index, 1: alias = '' }) => {
    const selected = selectedBefore(statement, index);
    return /\(\s*select\b/.test(selected) && new RegExp(`\\b${alias}\\.`).test(selected);
  });
}

/** The rules that a statement breaks; `statement` is bare and lower case, `text` has its comments. */
export function refusedShapes(statement: string, text: string): string[] {
  if (onOneServer.test(text)) return [];
  const broken = anywhere.filter(([, pattern]) => pattern.test(statement)).map(([rule]) => rule);
  if (limitsPerRow(statement)) broken.push('limit-per-row');
  if (comparesInLeftJoin(statement) && !neverNull.test(text)) broken.push('null-in-join');
  if (asksPerListedValue(statement)) broken.push('query-per-value');
  if (asksEveryShardPerRow(statement)) broken.push('shards-per-row');
  return broken;
}
