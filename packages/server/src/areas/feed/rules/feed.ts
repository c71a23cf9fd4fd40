// Cursors of the feed and of topics, which remain valid after their row is deleted. Pure.
import { isDate, isIdText, readCursor, writeCursor } from '#lib/list-cursor';
import type { DatePosition } from '#lib/list-cursor';
import type { ActivePosition, ScorePosition, SizePosition } from '../queries/index.ts';

const isSlug = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed();

export function scoreCursor({ score, id, asOf }: ScorePosition): string {
  return writeCursor('score', [score, id, asOf]);
}

export function readScoreCursor(cursor: string): ScorePosition | undefined {
  const [score, id, asOf] = readCursor(cursor, 'score') ?? [];
  if (typeof score !== 'number' || !isIdText(id)) return undefined;
  if (asOf !== null && !isDate(asOf)) return undefined;
  return { score, id, asOf };
}

/** Not that of a list by date: in the feed of all, it would skip what those followed have not written. */
export function followedCursor({ published_at, id }: DatePosition): string {
  return writeCursor('followed', [published_at, id]);
}

export function readFollowedCursor(cursor: string): DatePosition | undefined {
  const [published_at, id] = readCursor(cursor, 'followed') ?? [];
  return isDate(published_at) && isIdText(id) ? { published_at, id } : undefined;
}

export function activeCursor({ last_published_at, slug }: ActivePosition): string {
  return writeCursor('active', [last_published_at, slug]);
}

export function readActiveCursor(cursor: string): ActivePosition | undefined {
  const [last_published_at, slug] = readCursor(cursor, 'active') ?? [];
  return isDate(last_published_at) && isSlug(slug) ? { last_published_at, slug } : undefined;
}

export function sizeCursor({ article_count, slug }: SizePosition): string {
  return writeCursor('size', [article_count, slug]);
}

export function readSizeCursor(cursor: string): SizePosition | undefined {
  const [article_count, slug] = readCursor(cursor, 'size') ?? [];
  if (typeof article_count !== 'number' || Math.abs(article_count) > 0x7fffffff) return undefined;
  return Number.isInteger(article_count) && isSlug(slug) ? { article_count, slug } : undefined;
}
