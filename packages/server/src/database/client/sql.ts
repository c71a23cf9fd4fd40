// The tag for all SQL statements: each value becomes a parameter, each text a named statement.
import { createHash } from 'node:crypto';
import { limits } from '@colophon/contract';

declare const row: unique symbol;

/** A statement whose rows have the shape R. Created by `sql` only. */
export interface Statement<R = unknown> {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** See `takesLong`. */
  readonly takesLong?: boolean;
  /** The number of requests whose rows it reads; 1 if left out. */
  readonly requests?: number;
  /** See `orOverServers`. */
  readonly overServers?: () => Statement<R>;
  readonly [row]?: R;
}

const names = new Map<string, string>();
const plain = new WeakMap<TemplateStringsArray, { name: string; text: string }>();

/**
 * Returns the name of a text. It is always the same, so that the text is parsed and planned once per
 * connection.
 */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `c${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value;
}

function compose(strings: readonly string[], parts: readonly unknown[]): Statement {
  const values: unknown[] = [];
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (isStatement(part)) {
      const offset = values.length;
      text += part.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`);
      values.push(...part.values);
    } else {
      values.push(part);
      text += `$${values.length}`;
    }
    text += strings[index + 1] ?? '';
  }
  return { name: nameOf(text), text, values };
}

/**
 * Creates a statement: sql<Row>`select a from t where b = ${value}`. A value becomes a parameter; a nested
 * statement is inserted with its own parameters. There is no other way to build SQL.
 */
export function sql<R = never>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<R> {
  if (parts.some(isStatement)) return compose(strings, parts) as Statement<R>;
  let made = plain.get(strings);
  if (made === undefined) {
    const text = strings.reduce((left, right, index) => `${left}$${index}${right}`);
    made = { name: nameOf(text), text };
    plain.set(strings, made);
  }
  return { name: made.name, text: made.text, values: parts };
}

/**
 * Marks a read that may take many times as long as a simple query. It uses separate connections, a few at a
 * time: results on a shared one arrive in order, and short statements would wait behind it.
 */
export function takesLong<R>(statement: Statement<R>): Statement<R> {
  return { ...statement, takesLong: true };
}

/**
 * Gives a statement a second form with the same result, for a database whose tables are distributed. For
 * statements that read a few rows for each of several keys, which a coordinator refuses: the second form reads
 * all rows of the keys on each server, so one PostgreSQL must not use it.
 */
export function orOverServers<R>(statement: Statement<R>, other: () => Statement<R>): Statement<R> {
  return { ...statement, overServers: other };
}

/** Returns an integer as SQL text. Each value makes a separate statement, so use it only for few values. */
function integerText(value: number): Statement {
  if (!Number.isSafeInteger(value)) throw new RangeError('not an integer');
  return { name: '', text: String(value), values: [] };
}

const pageRows = limits.page_limit_default + 1;

/**
 * Returns `limit …` with a literal number, which the planner can use. For a parameter it assumes a tenth of
 * the table, and then joins whole tables for a page of 20. A page needs one row more than it shows. To keep
 * the number of statements small, the limit is that of the default page or of the largest one, and the code
 * that shows the page drops the rest.
 */
export function atMost(rows: number): Statement {
  const most = rows <= pageRows ? pageRows : limits.page_limit_max + 1;
  if (rows > most) throw new RangeError(`a page has at most ${limits.page_limit_max} items`);
  return sql`limit ${integerText(most)}`;
}

/** Returns `limit …` with a constant of the program. */
export function justFirst(rows: number): Statement {
  return sql`limit ${integerText(rows)}`;
}

/** An empty statement, for an optional clause. */
export const nothing: Statement = { name: '', text: '', values: [] };

/** A condition of a `where` clause. undefined: no condition. */
export type Condition = Statement | undefined;

/** Returns the condition for a value; undefined if there is no value. */
export function whenGiven<V>(value: V | undefined, condition: (value: V) => Statement): Condition {
  return value === undefined ? undefined : condition(value);
}

/** Returns `where a and b`, or nothing without conditions. A condition with `or` has its own parentheses. */
sql.where = (conditions: readonly Condition[]): Statement => {
  const [first, ...others] = conditions.filter((condition) => condition !== undefined);
  if (first === undefined) return nothing;
  const strings = ['where ', ...others.map(() => '\n      and '), ''];
  return compose(strings, [first, ...others]);
};
