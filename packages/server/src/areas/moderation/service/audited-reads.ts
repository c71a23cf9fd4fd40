// The audit records of moderators' reads of the queue.
import { auditedRead } from '#articles';
import type { AuditedRead, Caller } from '#http';
import { articlesOf, closedTargets } from '../rules/targets.ts';
import type { ShownTarget } from '../rules/targets.ts';

/** Returns the first comment, otherwise the first file. */
function firstOf(comments: readonly string[], media: readonly string[]) {
  const [comment] = comments;
  const [file] = media;
  if (comment !== undefined) return { target_type: 'comment', target_id: comment } as const;
  return file === undefined ? undefined : ({ target_type: 'media', target_id: file } as const);
}

/**
 * Returns the audit record of a read that shows texts of reported targets which readers do not see:
 * articles that are not open or were removed, comments below them, hidden or removed comments, and files that are
 * hidden or not ready. Empty if there are no such targets.
 */
export function auditedTargets(
  caller: Caller,
  shown: readonly ShownTarget[],
): { readonly audited?: AuditedRead } {
  const { audited } = auditedRead(caller, articlesOf(shown));
  const comments = closedTargets(shown, 'comment', caller.id);
  const media = closedTargets(shown, 'media', caller.id);
  const target = audited ?? firstOf(comments, media);
  if (target === undefined) return {};
  const details = {
    ...audited?.details,
    ...(comments.length > 0 ? { comments } : {}),
    ...(media.length > 0 ? { media } : {}),
  };
  return { audited: { target_type: target.target_type, target_id: target.target_id, details } };
}
