// Which removals notify the authors who cite an article, where several follow each other, and where no one else can see one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventsOf, link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

/** Creates an article that somebody else cites; `removals` counts that person’s notifications. */
async function citeArticle() {
  const [ann, bob] = [await server.register(), await server.register()];
  const { id } = await server.published(ann);
  await link(server, bob, [await server.published(bob), { id }]);
  const ask = (method: string, path = '', body?: unknown) =>
    server.ask(method, `/v1/articles/${id}${path}`, { token: ann.token, body });
  const moderate = (action: 'remove' | 'restore', source: 'legal' | 'proactive' = 'legal') =>
    act(server, moderator, { target_type: 'article', target_id: id, action, source });
  const removals = async () => {
    await untilSettled(server);
    const events = await eventsOf(server, bob.id);
    return events.filter(({ type }) => type === 'citation.changed').length;
  };
  return { ask, moderate, removals };
}

test('a legal removal of what its author removed, and its reversal, notify once', async () => {
  const { ask, moderate, removals } = await citeArticle();
  await ask('DELETE');
  assert.equal(await removals(), 1);
  await moderate('remove');
  assert.equal(await removals(), 1);
  await moderate('restore');
  assert.equal(await removals(), 1);
  await moderate('remove');
  await ask('POST', '/erase', { confirm: 'erase' });
  assert.equal(await removals(), 1);
});

test('a legal removal after a moderator’s notifies once, a removal after a restoration again', async () => {
  const { moderate, removals } = await citeArticle();
  await moderate('remove', 'proactive');
  assert.equal(await removals(), 1);
  await moderate('remove');
  assert.equal(await removals(), 1);
  await moderate('restore');
  assert.equal(await removals(), 1);
  await moderate('remove', 'proactive');
  assert.equal(await removals(), 2);
});

test('the removal of a private article notifies no one, by author, moderator or erasure', async () => {
  for (const remove of ['author', 'moderator', 'erasure'] as const) {
    const { ask, moderate, removals } = await citeArticle();
    await ask('PATCH', '', { visibility: 'private' });
    if (remove === 'author') await ask('DELETE');
    else if (remove === 'moderator') await moderate('remove', 'proactive');
    else await ask('POST', '/erase', { confirm: 'erase' });
    assert.equal(await removals(), 0, remove);
  }
});
