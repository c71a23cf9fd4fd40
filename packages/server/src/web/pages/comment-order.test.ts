// Comments below an article: threads that fold, stances by persons, and the two orders.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { storeAgent } from '#test/accounts';
import { comment, reply } from '#test/comments';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';
import { byStance } from './comment-order.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let path: string;
let first: string;

before(async () => {
  const [author, reader] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, reader);
  const { id, url } = await server.published(author, { title: 'Discussed' });
  path = url.slice(server.baseUrl.length);
  const say = (content: string, stance?: string, who = reader) =>
    comment(server, who, id, stance === undefined ? { content } : { content, stance });
  first = (await say('Said without a stance.')).id;
  await reply(server, author, first, { content: 'A reply.', stance: 'clarifies' });
  await say('I doubt it.', 'disagrees');
  await say('So do I, says its agent.', 'disagrees', agent);
  await say('I agree.', 'supports', author);
});

const fetchShown = async (query = '') => (await fetchPage(server, `${path}${query}`)).text;

/** Returns the texts of the comments in the order of the page. */
async function commentTexts(query = ''): Promise<readonly string[]> {
  const texts = [...(await fetchShown(query)).matchAll(/<p>(Said|A reply|I doubt|So do|I agree)/g)];
  return texts.map(([, text = '']) => text);
}

test('the chart counts persons, and each of its rows leads to the comments of a stance', async () => {
  const text = await fetchShown();
  assert.match(text, /Stances of 2 people in comments and replies/);
  assert.match(text, /1 person disagrees<\/a>.*2 comments/);
  assert.match(text, /1 person supports<\/a>.*1 comment</);
  const [, to = ''] = /href="([^"]+stance(?:=|&#61;)disagrees[^"]*)"/.exec(text) ?? [];
  assert.match(to, /#comments$/);
  assert.deepEqual(await commentTexts('?stance=disagrees'), ['I doubt', 'So do']);
  assert.match(await fetchShown('?stance=cites'), /No comment takes this stance\./);
  assert.match(await fetchShown('?stance=nonsense'), /Said without a stance/);
});

test('by time, and by the stance of the first comment of each thread', async () => {
  assert.deepEqual(await commentTexts(), ['Said', 'A reply', 'I doubt', 'So do', 'I agree']);
  assert.deepEqual(await commentTexts('?order=stance'), [
    'I agree',
    'I doubt',
    'So do',
    'Said',
    'A reply',
  ]);
});

test('replies are in a part that folds below the comment that they answer', async () => {
  const { elements } = await fetchPage(server, path);
  const folds = elements.filter(({ attributes }) => attributes['class'] === 'replies');
  assert.deepEqual(
    folds.map(({ attributes }) => [attributes['id'], 'open' in attributes]),
    [[`replies-${first}`, true]],
  );
  assert.match(folds[0]?.text ?? '', /1 reply\s.*A reply\./s);
});

test('threads of one stance keep their order, and those without a stance are last', () => {
  const threads = (['asks', null, 'supports', 'asks'] as const).map((stance, place) => [
    { comment: { stance }, place },
  ]);
  assert.deepEqual(
    byStance(threads).map(([one]) => one?.place),
    [2, 0, 3, 1],
  );
});
