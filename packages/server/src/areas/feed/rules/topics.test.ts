// Changes in the counts of topics when the topics of an article change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedTopics, summedTopics, topicKey } from './topics.ts';

const day = '2026-03-01T00:00:00.000Z';
const topic = (slug: string, members: { name?: string; published_at?: string } = {}) => ({
  slug,
  name: slug,
  published_at: day,
  ...members,
});
const deltas = (...args: Parameters<typeof changedTopics>) =>
  Object.fromEntries(changedTopics(...args).map(({ slug, delta }) => [slug, delta]));

test('what comes counts one more, what goes one less, what stays is left alone', () => {
  const changed = deltas([topic('goes'), topic('stays')], [topic('stays'), topic('comes')]);
  assert.deepEqual(changed, { goes: -1, comes: 1 });
});

test('another spelling or date changes the topic and not its count', () => {
  const changed = deltas(
    [topic('one'), topic('two'), topic('same')],
    [topic('one', { name: 'One' }), topic('two', { published_at: '' }), topic('same')],
  );
  assert.deepEqual(changed, { one: 0, two: 0 });
});

test('nothing changes: no topic is locked', () => {
  assert.deepEqual(changedTopics([topic('one')], [topic('one')]), []);
  assert.deepEqual(changedTopics([], []), []);
});

test('whatever the order in which articles name them, topics are locked in one order', () => {
  const slugs = ['deep-sea', 'c++', '深海', 'a-b', 'zoo'];
  const order = (list: readonly string[]) =>
    summedTopics(
      changedTopics(
        [],
        list.map((slug) => topic(slug)),
      ),
    ).map(({ slug }) => slug);
  assert.deepEqual(order(slugs), order(slugs.toReversed()));
  const buckets = summedTopics(
    changedTopics(
      [],
      slugs.map((slug) => topic(slug)),
    ),
  ).map(({ bucket }) => bucket);
  assert.deepEqual(
    buckets,
    buckets.toSorted((one, other) => one - other),
  );
});

test('changes of several articles become one for each topic', () => {
  const changes = [
    ...changedTopics([topic('one')], [topic('two')]),
    ...changedTopics([topic('two')], [topic('one')]),
    ...changedTopics([], [topic('two')]),
  ];
  const sums = summedTopics(changes).map(({ slug, delta }) => [slug, delta]);
  assert.deepEqual(Object.fromEntries(sums), { one: 0, two: 1 });
});

test('a topic stays in its bucket for ever', () => {
  assert.equal(topicKey('deep-sea').bucket, 3351);
  assert.equal(topicKey('深海').bucket, 359);
});
