// GET /v1/topics/{slug}: one topic, in any spelling of its slug.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { topicSlug } from '#lib/slug';
import { findTopic } from '../queries/index.ts';
import { topicKey } from '../rules/topics.ts';
import { topicView } from '../views.ts';

export const readTopic = implement(operations.readTopic)(async ({ db, problem }, { params }) => {
  const slug = topicSlug(params.slug);
  const row = slug === undefined ? undefined : await findTopic(db, topicKey(slug));
  const topic = row === undefined ? undefined : topicView(row);
  if (topic === undefined)
    throw problem(
      'not-found',
      'No public article has this topic. GET /v1/topics lists all topics.',
    );
  return { status: 200, body: topic, shared: true };
});
