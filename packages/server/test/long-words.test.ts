// Searches of texts whose words have no end: what they take of the event loop, at once and in all.
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { comment } from './comments.ts';
import { startServer } from './harness.ts';
import { leastTurn, slowness } from './longest-turn.ts';
import { askSearch, derive } from './search.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

/** A letter with as many marks as are kept, each of which is sorted. */
const marked = `a${'\u0301\u0316'.repeat(15)}`;
const letters = 'bcdfghjklmnpqrstvwxyz';
/** A word with this beginning, and another one for each `n`. */
const wordOf = (beginning: string, n: number, units: number) =>
  `${beginning}${letters.charAt(n % 21)}${letters.charAt(Math.floor(n / 21))}${marked.repeat(units / 31)}`;
const ligature = '\ufdfa';

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const slow = slowness();

before(async () => {
  const author = await server.register();
  const publish = (title: string, content: string) =>
    server.published(author, { title, content, language: 'en' });
  for (let n = 0; n < 5; n += 1)
    await publish(`Zzzmk ${n}`, `${'x '.repeat(6_100)}${wordOf('zzzmk', n, 190_000)}`);
  for (let n = 0; n < 60; n += 1) await publish(`Yyymk ${n}`, wordOf('yyymk', n, 11_000));
  const { id } = await publish(`Ligatures ${ligature.repeat(60)}`, ligature.repeat(340_000));
  for (let n = 0; n < 60; n += 1)
    await comment(server, author, id, { content: `vvvmk ${wordOf('vvvmk', n, 8_000)}` });
  await derive(server, 'article.changed', 'indexing.postponed', 'comment.changed');
});

/** Searches, the number of hits, and the processor time that two of them may take in all. */
const searches: readonly (readonly [string, Record<string, string>, number, number])[] = [
  ['a few long articles', { q: 'zzzmk' }, 5, 900],
  ['many articles', { q: 'yyymk', limit: '100' }, 60, 600],
  ['comments', { q: 'vvvmk', type: 'comment', limit: '100' }, 60, 500],
  ['a text of ligatures', { q: ligature.repeat(60) }, 1, 150],
];
for (const [name, query, count, mostMs] of searches) {
  test(`200 for a search of ${name} with words without end, in short turns`, async () => {
    const search = async () => {
      const { status, body } = await askSearch(server, query);
      assert.deepEqual(
        [status, body.items.length],
        [200, count],
        JSON.stringify(body).slice(0, 400),
      );
    };
    await search();
    const begun = cpuMs();
    await search();
    await search();
    const took = cpuMs() - begun;
    const turn = await leastTurn(40 * slow, search);
    assert.ok(turn < 40 * slow, `a turn of ${turn} ms`);
    assert.ok(took < mostMs * slow, `${took} ms in all`);
  });
}
