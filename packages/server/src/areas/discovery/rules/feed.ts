// Where a page of the feed or of topics goes on: cursors that do not need the row they were made of. Pure.
import { isId } from '#lib/id';
import { isTimestamp } from '#lib/timestamp';
import type { ActivePlace, DatePlace, ScorePlace, SizePlace } from '../queries/index.ts';

/** Each list has its own mark, so that a cursor of another one is not taken for one of this. */
type Mark = 'date' | 'score' | 'active' | 'size';

function written(mark: Mark, ...members: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify([mark, ...members])).toString('base64url');
}

function read(cursor: string, mark: Mark): readonly unknown[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // A decoder passes over what is too much: one place would have several names.
  if (bytes.toString('base64url') !== cursor) return undefined;
  let value: unknown;
  try {
    // oxlint-disable-next-line no-restricted-properties -- the members are checked one by one below
    value = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  return Array.isArray(value) && value[0] === mark ? value.slice(1) : undefined;
}

const isDate = (value: unknown): value is string => typeof value === 'string' && isTimestamp(value);
const isIdText = (value: unknown): value is string => typeof value === 'string' && isId(value);
const isSlug = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed();

export function dateCursor({ published_at, id }: DatePlace): string {
  return written('date', published_at, id);
}

/** The place that a cursor names; undefined when it names none of this list. */
export function readDateCursor(cursor: string): DatePlace | undefined {
  const [published_at, id] = read(cursor, 'date') ?? [];
  return isDate(published_at) && isIdText(id) ? { published_at, id } : undefined;
}

export function scoreCursor({ score, id, asOf }: ScorePlace): string {
  return written('score', score, id, asOf);
}

export function readScoreCursor(cursor: string): ScorePlace | undefined {
  const [score, id, asOf] = read(cursor, 'score') ?? [];
  if (typeof score !== 'number' || !isIdText(id)) return undefined;
  if (asOf !== null && !isDate(asOf)) return undefined;
  return { score, id, asOf };
}

export function activeCursor({ last_published_at, slug }: ActivePlace): string {
  return written('active', last_published_at, slug);
}

export function readActiveCursor(cursor: string): ActivePlace | undefined {
  const [last_published_at, slug] = read(cursor, 'active') ?? [];
  return isDate(last_published_at) && isSlug(slug) ? { last_published_at, slug } : undefined;
}

export function sizeCursor({ article_count, slug }: SizePlace): string {
  return written('size', article_count, slug);
}

export function readSizeCursor(cursor: string): SizePlace | undefined {
  const [article_count, slug] = read(cursor, 'size') ?? [];
  if (typeof article_count !== 'number' || Math.abs(article_count) > 0x7fffffff) return undefined;
  return Number.isInteger(article_count) && isSlug(slug) ? { article_count, slug } : undefined;
}
