// Comparing two long revisions: the event loop turns while the page is made.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from './harness.ts';
import { longestTurn, slowness } from './longest-turn.ts';

const slow = slowness();
// Nothing here depends on the pipeline.
const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const author = await server.register();
const length = 1_000_000;

const texts: Readonly<Record<string, string>> = {
  'one line of quotes': '"'.repeat(length),
  'one line of words': `a' `.repeat(length / 3),
  'a hundred long lines': `${'"'.repeat(9_990)}\n`.repeat(100),
  'many short lines': '<"\n'.repeat(length / 3),
};

for (const [name, content] of Object.entries(texts)) {
  test(`no turn of the event loop is long while revisions are compared: ${name}`, async (t) => {
    const { id, revision_id: from, url } = await server.published(author, { content });
    const changed = `z${content.replaceAll('\n', 'z\n').slice(0, length)}z`;
    const path = `/v1/articles/${id}`;
    const own = { token: author.token, key: true } as const;
    const made = await server.ask('POST', `${path}/revisions`, {
      ...own,
      headers: { 'if-match': `"${from}"` },
      body: { title: 'A title', content: changed },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await server.ask('POST', `${path}/publish`, { ...own, body: {} })).status, 200);
    for (const view of ['', '&view=sides']) {
      const address = `${new URL(url).pathname}/revisions?from=${from}&to=${made.body.revision_id}${view}`;
      const longest = await longestTurn(async () => {
        const answer = await fetch(server.baseUrl + address, { headers: { accept: 'text/html' } });
        assert.equal(answer.status, 200);
        assert.ok((await answer.arrayBuffer()).byteLength > 1_000);
      });
      t.diagnostic(`${view} ${longest.toFixed(0)} ms`);
      assert.ok(longest < 50 * slow, `${longest} ms`);
    }
  });
}
