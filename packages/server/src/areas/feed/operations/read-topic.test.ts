// GET /v1/topics/{slug}: one topic, in any spelling of its slug.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setArticleStatus } from '#test/comments';
import { untilPlaced, publishedAt } from '#test/feeds';
import { assertProblem, startServer } from '#test/harness';
import type { Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (slug: string): Promise<Response> =>
  server.ask('GET', `/v1/topics/${encodeURIComponent(slug)}`);
const onDay = (day: number) => new Date(Date.UTC(2020, 0, day)).toISOString();

test('200 whatever the spelling', async () => {
  const human = await server.register();
  const topics = ['Deep Sea', 'C++', '深海'];
  await publishedAt(server, human, onDay(1), { metadata: { topics } });
  await untilPlaced(server);
  for (const spelling of ['deep-sea', 'Deep Sea', '  DEEP  sea ', 'deep/sea']) {
    const { status, body } = await read(spelling);
    assert.equal(status, 200, spelling);
    assert.deepEqual(body, {
      slug: 'deep-sea',
      name: 'Deep Sea',
      article_count: 1,
      last_published_at: onDay(1),
      trust: 'untrusted',
    });
  }
  assert.equal((await read('c++')).body.name, 'C++');
  assert.equal((await read('深海')).body.slug, '深海');
});

test('404 not-found where no public article has it: now, or any more', async () => {
  const human = await server.register();
  const id = await publishedAt(server, human, onDay(1), { metadata: { topics: ['Passing'] } });
  await publishedAt(server, human, onDay(1), {
    metadata: { topics: ['Unlisted'] },
    visibility: 'unlisted',
  });
  await untilPlaced(server);
  assert.equal((await read('passing')).status, 200);
  for (const slug of ['unlisted', 'never', 'x', '!!!', 'a'.repeat(400)])
    assertProblem(await read(slug), 'not-found');
  // Bypasses the pipeline: the topic's row still counts the article.
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await read('passing'), 'not-found');
});
