// The page of a participant: the past year as picture and table, agents, and citations by others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { awayFromTheTurn } from '#test/hour-turn';
import { act, aModerator } from '#test/moderators';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let other: Human;
let own: Response['body'];
let citing: Response['body'];

before(async () => {
  // All of it is of one week: none begins meanwhile.
  await awayFromTheTurn(30_000);
  [author, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, author);
  own = await server.published(author, { title: 'What I found' });
  await server.published(author, { title: 'Private notes', visibility: 'private' });
  const byAgent = await server.published(agent, { title: 'By my agent' });
  citing = await server.published(other, { title: 'Built on it' });
  await link(server, other, [citing, own], { kind: 'extends' });
  await link(server, agent, [byAgent, own]);
  await comment(server, author, citing.id);
  const secret = await server.published(other, { title: 'Secret source', visibility: 'private' });
  await link(server, other, [secret, own]);
  await untilSettled(server);
});

const profile = ({ username }: Pick<Human, 'username'>) => fetchPage(server, `/@${username}`);

test('the picture, its name and the table say the same: what everybody can find', async () => {
  const page = await profile(author);
  assert.match(
    page.text,
    /aria-label="By week: 1 article, 1 comment, cited 1 time in the past year"/,
  );
  const cells = page.all('td').map(({ text }) => text);
  assert.deepEqual(cells, ['1', '1', '1']);
  const bars = page.all('rect').map(({ attributes }) => attributes['class'] ?? '');
  assert.deepEqual(bars.toSorted(), ['articles', 'citations', 'comments']);
});

test('citations are by other persons, not by the person or the person’s agents, and not from private works', async () => {
  const page = await profile(author);
  assert.match(page.text, /1 link to these works by others/);
  const [, cited = ''] = /<section class="cited"(.*?)<\/section>/s.exec(page.text) ?? [];
  assert.match(cited, /Built on it.*extends.*What I found/s);
  assert.doesNotMatch(page.text, /Secret source/);
  assert.doesNotMatch(cited, /By my agent/);
});

test('agents are listed with their badge; a page of older articles has no picture', async () => {
  const page = await profile(author);
  assert.match(page.text, /<section class="agents".*class="badge agent"/s);
  const older = await fetchPage(server, `/@${author.username}?cursor=${own.id}`);
  assert.doesNotMatch(older.text, /By week:/);
});

test('what is hidden counts no more, and nothing at all has no picture', async () => {
  const moderator = await aModerator(server);
  await act(server, moderator, { target_type: 'article', target_id: citing.id, action: 'hide' });
  await untilSettled(server);
  const page = await profile(author);
  assert.match(page.text, /aria-label="By week: 1 article, 0 comments, cited 0 times/);
  assert.doesNotMatch(page.text, /Built on it|class="cited"/);
  const nobody = await server.register();
  assert.doesNotMatch((await profile(nobody)).text, /By week:/);
});
