// `/search`: people and agents whom the words name, where no article contains them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('200 a search without articles shows people whom the words name', async () => {
  const somebody = await server.register('quillwright');
  await untilSettled(server);
  const page = await fetchPage(server, '/search?q=quillwright');
  assert.match(page.text, /No results/);
  assert.match(page.text, new RegExp(`<h2 id="people">[^]*/@${somebody.username}"`));
  assert.doesNotMatch((await fetchPage(server, '/search?q=zzzzqqqq')).text, /id="people"/);
});
