// How many statements the front page and the page of an article cost, counted on the wire.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { comment } from './comments.ts';
import { startCounted } from './counted-server.ts';
import { fetchPage } from './page.ts';
import { openBrowser } from './web-session.ts';

const statementsMax = 3;
/** The article, what its page shows of it, and the versions of its comments and their authors. */
const keptMax = 4;

const { server, proxy, ...counted } = await startCounted();
after(() => counted[Symbol.asyncDispose]());

test(`the front page takes ${statementsMax} statements at most, signed out and signed in`, async (t) => {
  const author = await server.register();
  for (let count = 0; count < 25; count += 1)
    await server.published(author, { title: `Article ${count}`, metadata: { topics: ['Moss'] } });
  const reader = openBrowser(server);
  await reader.join();
  const reads = {
    'signed out': () => fetchPage(server, '/'),
    'signed in': () => reader.page('/'),
  };
  for (const [who, read] of Object.entries(reads)) {
    // The first times open the connections and prepare the statements.
    for (let time = 0; time < 4; time += 1) await read();
    const counted = await proxy.count(async () => {
      assert.equal((await read()).status, 200);
    });
    t.diagnostic(`${who}: ${counted.statements} statements, ${counted.roundTrips} round trips`);
    assert.ok(counted.statements <= statementsMax, `${who}: ${counted.statements}`);
  }
});

test(`the page of an article with comments takes ${keptMax} statements at most when nothing has changed`, async (t) => {
  const author = await server.register();
  const { id, url } = await server.published(author);
  for (let count = 0; count < 3; count += 1) await comment(server, author, id);
  const read = () => fetchPage(server, url.slice(server.baseUrl.length));
  for (let time = 0; time < 4; time += 1) await read();
  const counted = await proxy.count(async () => {
    assert.match((await read()).text, /3 comments/);
  });
  t.diagnostic(`${counted.statements} statements, ${counted.roundTrips} round trips`);
  assert.ok(counted.statements <= keptMax, `${counted.statements}`);
});
