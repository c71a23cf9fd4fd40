// GET /v1/search over HTTP: which articles match, in which order, and with which snippets.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { findable, markedPieces, searchFor, titlesFor, untilIndexed } from '#test/searching';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
let ann: Human;

const articles: readonly (readonly [title: string, content: string, language: string])[] = [
  ['Running dogs', 'They were *jumping* over fences in the yard.', 'en'],
  ['A quiet harbour', 'The whale 🦉🦉 followed the ship; nobody saw the **whales** again.', 'en'],
  ['Notes on whales', 'Nothing else is in here.', 'en'],
  ['To be or not to be', 'A question of some age.', 'en'],
  ['Encyclopaedia of mushrooms', 'Caps, stems and spores.', 'en'],
  ['Die Häuser am Fluss', 'Viele Gärten liegen hinter den Mauern.', 'de'],
  ['Белые ночи', 'Они гуляли по набережным до утра.', 'ru'],
  ['المكتبة القديمة', 'كانت الكتب على الرفوف.', 'ar'],
  ['北京大学的历史', '这是一个关于图书馆的故事，图书馆在湖边。', 'zh'],
  ['東京の夜', '友達とラーメンを食べました。', 'ja'],
  ['한국의 산', '학교에서 산을 보았다.', 'ko'],
  ['แมวของฉัน', 'แมวนอนบนหลังคาบ้าน', 'th'],
  [
    'Rust and iron',
    'The Who played `whale songs` at [the site](https://example.org/submarine).',
    'und',
  ],
];

before(async () => {
  ann = await server.register();
  await Promise.all(
    articles.map(([title, content, language]) =>
      findable(server, ann, { title, content, language }),
    ),
  );
});

const rows: readonly (readonly [q: string, titles: readonly string[]])[] = [
  // Words in all their forms.
  ['run', ['Running dogs']],
  ['dog runs', ['Running dogs']],
  ['JUMPED', ['Running dogs']],
  // Title before text.
  ['whale', ['Notes on whales', 'A quiet harbour', 'Rust and iron']],
  ['whale ship', ['A quiet harbour']],
  // The syntax.
  ['"followed the ship"', ['A quiet harbour']],
  ['"ship followed"', []],
  ['whale -ship', ['Notes on whales', 'Rust and iron']],
  ['whale -"quiet harbour"', ['Notes on whales', 'Rust and iron']],
  ['fences OR mushrooms', ['Encyclopaedia of mushrooms', 'Running dogs']],
  ['-whale', []],
  ['"', []],
  ['!?', []],
  // Stop words count in titles that consist of them.
  ['to be', ['To be or not to be']],
  // In a text of unknown language every word counts.
  ['the', ['Rust and iron']],
  // A typo, or the beginning of the last word.
  ['runing dogs', ['Running dogs']],
  ['running dgos', ['Running dogs']],
  ['mushroms', ['Encyclopaedia of mushrooms']],
  ['encyclopedia mushrooms', ['Encyclopaedia of mushrooms']],
  ['encyc', ['Encyclopaedia of mushrooms']],
  ['quiet har', ['A quiet harbour']],
  ['quiet h', ['A quiet harbour']],
  // `for` may be a typo of `ford`, but that is not a reason to require `ford`.
  ['caps or stems for mushrooms', ['Encyclopaedia of mushrooms']],
  ['caps for mushrooms', ['Encyclopaedia of mushrooms']],
  ['"runing dogs"', []],
  // Other scripts, and accents.
  ['Haus', ['Die Häuser am Fluss']],
  ['hauser', ['Die Häuser am Fluss']],
  ['Garten', ['Die Häuser am Fluss']],
  ['ночь', ['Белые ночи']],
  ['набережная', ['Белые ночи']],
  ['مكتبة', ['المكتبة القديمة']],
  ['كتب', ['المكتبة القديمة']],
  ['北京', ['北京大学的历史']],
  ['大学 历史', ['北京大学的历史']],
  ['图书馆', ['北京大学的历史']],
  ['图书馆 -北京', []],
  ['ラーメン', ['東京の夜']],
  ['東京', ['東京の夜']],
  ['학교', ['한국의 산']],
  ['หลังคา', ['แมวของฉัน']],
];
for (const [q, expected] of rows) {
  test(`200 ${q} finds ${expected.join(', ') || 'nothing'}`, async () => {
    assert.deepEqual((await titlesFor(server, q)).toSorted(), [...expected].toSorted());
  });
}

test('200 the title counts before the text', async () => {
  assert.equal((await titlesFor(server, 'whale'))[0], 'Notes on whales');
});

test('200 with the record of the article as lists have it, labelled', async () => {
  const { body } = await searchFor(server, 'mushrooms');
  const [hit] = body.items;
  assert.deepEqual(Object.keys(hit).toSorted(), ['article', 'snippet', 'type']);
  assert.equal(hit.type, 'article');
  assert.equal(hit.article.trust, 'untrusted');
  assert.equal(hit.snippet.trust, 'untrusted');
  const listed = await server.ask('GET', '/v1/articles?limit=100');
  assert.deepEqual(
    hit.article,
    listed.body.items.find(({ id }: { id: string }) => id === hit.article.id),
  );
  assert.equal(body.next_cursor, null);
});

const snippets: readonly (readonly [q: string, title: string, matches: readonly string[]])[] = [
  ['jump', 'Running dogs', ['jumping']],
  ['whale', 'A quiet harbour', ['whale', 'whales']],
  ['whale ship', 'A quiet harbour', ['whale', 'ship', 'whales']],
  ['whale', 'Rust and iron', ['whale']],
  ['whale', 'Notes on whales', []],
  ['Garten', 'Die Häuser am Fluss', ['Gärten']],
  ['набережная', 'Белые ночи', ['набережным']],
  ['图书馆', '北京大学的历史', ['图书馆', '图书馆']],
  ['mushroms', 'Encyclopaedia of mushrooms', []],
];
for (const [q, title, expected] of snippets) {
  test(`200 ${q} marks ${expected.join(', ') || 'nothing'} in ${title}`, async () => {
    const { body } = await searchFor(server, q);
    const hit = body.items.find(
      (item: { article: { title: string } }) => item.article.title === title,
    );
    assert.deepEqual(markedPieces(hit.snippet), expected);
    assert.doesNotMatch(hit.snippet.text, /[*`<>]/);
  });
}

test('200 a snippet of a long text is cut around the match, wherever it is', async () => {
  const filler = 'Sentences that say little. '.repeat(40);
  const ends = 'Far down there is a zeppelin. '.concat(filler);
  const ids = [
    await findable(server, ann, { title: 'Long', content: `${filler}\n\n${ends}` }),
    await findable(server, ann, { title: 'Longer', content: `${filler.repeat(30)}\n\n${ends}` }),
  ];
  const { body } = await searchFor(server, 'zeppelins');
  assert.deepEqual(
    body.items.map(({ article }: { article: { id: string } }) => article.id).toSorted(),
    ids.toSorted(),
  );
  for (const { snippet } of body.items) {
    assert.deepEqual(markedPieces(snippet), ['zeppelin']);
    assert.ok([...snippet.text].length <= 240);
  }
});

test('200 what follows a tag is found, whatever the tag is', async () => {
  const content = 'Write `<script src="x">` and <style> first.\n\nThen comes a xylophone.';
  await findable(server, ann, { title: 'Tags', content, language: 'en' });
  assert.deepEqual(await titlesFor(server, 'xylophones'), ['Tags']);
  assert.deepEqual(await titlesFor(server, '<script>'), ['Tags']);
});

test('200 what lies in an address is not shown as a match', async () => {
  const { body } = await searchFor(server, 'submarine');
  for (const { snippet } of body.items) assert.deepEqual(markedPieces(snippet), []);
});

test('200 a new revision is found by its words, and no more by those of the old one', async () => {
  const { id, revision_id } = await server.published(ann, {
    title: 'Aardvark',
    content: 'Old text.',
  });
  const body = { title: 'Buffalo', expected_revision_id: revision_id };
  const asked = { token: ann.token, key: true } as const;
  await server.ask('POST', `/v1/articles/${id}/revisions`, { ...asked, body });
  await server.ask('POST', `/v1/articles/${id}/publish`, { ...asked, body: {} });
  await untilIndexed(server, id);
  assert.deepEqual(await titlesFor(server, 'buffalo'), ['Buffalo']);
  assert.deepEqual(await titlesFor(server, 'aardvark'), []);
  assert.deepEqual(await titlesFor(server, 'aardvarc'), []);
});
