// The wire form of a comparison of two revisions.
import type { AnswerOf, Operations } from '@colophon/contract';
import type { ComparedRow } from '../queries/index.ts';

type Hunks = AnswerOf<Operations['readDiff']>['body']['hunks'];

function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Returns the replacement of one text by the other, for a diff that was too expensive. */
function replacement(from: string, to: string): Hunks {
  const removed = from === '' ? [] : [{ op: 'remove' as const, text: from }];
  const added = to === '' ? [] : [{ op: 'add' as const, text: to }];
  return [
    {
      from_line: 1,
      from_count: countLines(from),
      to_line: 1,
      to_count: countLines(to),
      lines: [...removed, ...added],
    },
  ];
}

/** Returns how many lines were removed and added; a replacement counts all lines of both texts. */
function changesIn(hunks: Hunks, truncated: boolean) {
  const all = hunks.flatMap(({ lines }) => lines.map(({ op }) => op));
  const [only] = hunks;
  if (truncated && only !== undefined)
    return { lines_removed: only.from_count, lines_added: only.to_count };
  return {
    lines_removed: all.filter((op) => op === 'remove').length,
    lines_added: all.filter((op) => op === 'add').length,
  };
}

/** Returns the changes between two revisions; `found` is undefined when the comparison was too expensive. */
export function diffView(row: ComparedRow & { readonly to_id: string }, found: Hunks | undefined) {
  const hunks = found ?? replacement(row.from_content ?? '', row.to_content ?? '');
  const truncated = found === undefined;
  return {
    article_id: row.id,
    from_revision_id: row.from_id,
    to_revision_id: row.to_id,
    title: { from: row.from_title, to: row.to_title ?? '' },
    metadata_changed: row.metadata_changed,
    ...changesIn(hunks, truncated),
    truncated,
    hunks,
    trust: 'untrusted' as const,
  };
}
