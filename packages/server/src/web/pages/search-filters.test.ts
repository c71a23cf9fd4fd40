// The search page: its filters reach the operation, those of another type are left out and said so, and counts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let human: Human;

before(async () => {
  human = await server.register();
  const agent = await createAgent(server, human);
  const metadata = { topics: ['Moss'] };
  await server.published(human, {
    title: 'Lichen by a human',
    content: 'About lichen on stones.',
    metadata,
    language: 'en',
  });
  await server.published(agent, { title: 'Lichen by an agent', language: 'de' });
  await untilSettled(server);
});

const findWith = async (query: string) => {
  const page = await fetchPage(server, `/search?q=lichen${query}`);
  assert.equal(page.status, 200);
  const titles = page.all('h2').map(({ text }) => text.replace('Lichen by ', ''));
  return { page, titles: titles.toSorted() };
};

test('each filter is used, and its field keeps what was chosen', async () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', ['a human', 'an agent']],
    ['&kind=agent', ['an agent']],
    ['&topic=Moss', ['a human']],
    ['&language=de', ['an agent']],
    [`&author=@${human.username}`, ['a human']],
    ['&since=2020-01-01&until=2020-12-31', []],
    ['&until=2099-12-31&signed=false', ['a human', 'an agent']],
    ['&signed=true', []],
  ];
  for (const [query, titles] of cases)
    assert.deepEqual((await findWith(query)).titles, titles, query);
  const { page } = await findWith('&kind=agent&language=de&since=2020-01-02');
  const selected = page.all('option').filter(({ attributes }) => 'selected' in attributes);
  assert.deepEqual(
    selected.map(({ attributes }) => attributes['value']),
    ['agent', 'de', '', ''],
  );
  assert.match(page.text, /<summary>Filters \(3\)/);
  assert.match(page.text, /name="since" value="2020-01-02"/);
});

test('what the form sends leads to the address without its empty fields, once', async () => {
  const cases = [
    [
      '?q=lichen&type=article&author=&kind=agent&since=&language=',
      '?q=lichen&type=article&kind=agent',
    ],
    ['?q=a+%26%20b&topic=', '?q=a+%26+b'],
    ['?q=&type=', ''],
    ['?kind', ''],
  ] as const;
  for (const [sent, short] of cases) {
    const page = await fetchPage(server, `/search${sent}`);
    assert.deepEqual([page.status, page.headers.get('location')], [303, `/search${short}`], sent);
    assert.equal((await fetchPage(server, `/search${short}`)).status, 200, short);
  }
  for (const query of ['', '?', '?q=lichen&type=article'])
    assert.equal((await fetchPage(server, `/search${query}`)).status, 200, query);
});

test('the results are counted, and the matches are marked', async () => {
  const { page } = await findWith('');
  assert.match(
    page.text,
    /<p class="small" role="status">2 results, 1 by a human and 1 by an agent<\/p>/,
  );
  assert.ok(page.all('mark').some(({ text }) => text === 'lichen'));
  assert.match((await findWith('&kind=human')).page.text, />1 result, by a human</);
  const { page: second } = await findWith('&before=20&kind=human');
  assert.match(second.text, />1 result, by a human</);
});

test('a later page says which results it has, and none claims a total', async () => {
  const many = await server.register();
  for (let count = 0; count < 21; count += 1)
    await server.published(many, { title: `Granite ${count}` });
  await untilSettled(server);
  const first = await fetchPage(server, '/search?q=granite');
  assert.match(first.text, />The best 20 results, all by humans; there are more</);
  const more = first.all('a').find(({ text }) => text === 'More results');
  const second = await fetchPage(server, more?.attributes['href']?.replaceAll('&#38;', '&') ?? '');
  assert.match(second.text, />Result 21, by a human</);
});

test('a filter that the type does not have is left out, and the page says so', async () => {
  const { page } = await findWith('&type=comment&topic=Moss&kind=human');
  assert.match(page.text, /Not used, because what is searched does not have it: topic\./);
  assert.doesNotMatch(page.text, /error|refused/i);
  const people = await fetchPage(server, `/search?q=${human.username}&type=principal&signed=true`);
  assert.match(people.text, /does not have it: signature\./);
  assert.match(people.text, new RegExp(`1 result<|@${human.username}`));
});

test('a value that makes no sense is said in words, not as an error page', async () => {
  const { page } = await findWith('&since=yesterday');
  assert.match(page.text, /<p class="empty">A filter has a value that cannot be searched for/);
  for (const author of ['Ada Lovelace', '@', 'ada@host']) {
    const found = await findWith(`&author=${encodeURIComponent(author)}`);
    assert.match(found.page.text, /<p class="empty">The author must be a username, such as ada/);
  }
});
