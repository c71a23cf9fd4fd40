// GET /v1/search over HTTP: words match whatever is next to them, in any spelling.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import { findable, markedPieces, searchFor, titlesFor } from '#test/searching';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const quoted =
  'He said “hummingbird nests” then—flamingo—ran, l’homme… «mot juste» ¡hola! café® 50€ 😀smile a\u00a0narwhal‘s';
const numbers =
  'In 1914-1918, pages 12-15 of 2026-11-22, Q3-2025, an F-16 and covid-19, at −40 and 3.14 of v1.2.3.';
const joined =
  'See Vue.js and config.json at www.kernel.org, ask ann@mailhost.org:8080. It ended.Then came snake_case and &pointer; of docs/hooks.';

const texts: readonly (readonly [title: string, content: string, language: string])[] = [
  ['Quoted', quoted, 'en'],
  ['Numbers', numbers, 'en'],
  ['Joined', joined, 'und'],
  ['Albatross', 'The gutenbergia or the zeta yotta.', 'en'],
  ['French', 'C’est l’homme qu’on aime, aujourd’hui. Il vaut de l’or.', 'fr'],
  ['Arabic', 'كتب، وأقلام؟ نعم؛ كثيرة', 'ar'],
  ['Hindi', 'दुनिया बड़ी है।किताब', 'hi'],
  ['Persian', 'می\u200cخواهم بروم', 'und'],
  ['Hyphens', 'A hippo\u00adpota\u00admus of the well\u2011known kind, a merry-go-round.', 'en'],
  ['Decomposed', 'Un re\u0301sume\u0301 tre\u0300s court.', 'und'],
  ['Japanese', '今日はSwift言語。「東京」へ行く。', 'ja'],
  ['Vietnamese', 'Tiếng Việt rất đẹp', 'und'],
  ['Russian', 'Зелёная ёлка и йогурт', 'ru'],
  ['“Ωmega—thoughts”', 'Nothing.', 'und'],
];

before(async () => {
  const ann = await server.register();
  await Promise.all(
    texts.map(([title, content, language]) => findable(server, ann, { title, content, language })),
  );
});

const rows: readonly (readonly [title: string, queries: readonly string[]])[] = [
  [
    'Quoted',
    [
      'hummingbird',
      'nests',
      '“hummingbird nests”',
      'flamingo',
      'then—flamingo',
      "l'homme flamingo",
      'l’homme flamingo',
      'mot',
      'juste',
      'hola',
      '¡hola!',
      'café',
      '50€',
      '50',
      'smile',
      'narwhal',
      "narwhal's",
      'narwhal’s',
    ],
  ],
  [
    'Numbers',
    [
      '1914',
      '1918',
      '1914-1918',
      '1914–1918',
      '"1914-1918"',
      '15',
      '12-15',
      '2026-11-22',
      '22',
      'Q3',
      '2025',
      'f16 OR f-16',
      'COVID-19',
      'covid 19',
      '40',
      '3.14',
      'v1.2.3',
      '1.2.3',
    ],
  ],
  [
    'Joined',
    [
      'vue',
      'vue.js',
      'Vue.js',
      '"vue.js"',
      'config',
      'config.json',
      'kernel.org',
      'www.kernel.org',
      'ann',
      'mailhost',
      'ann@mailhost.org',
      '8080',
      'Then',
      'ended.Then',
      'snake',
      'snake_case',
      'pointer',
      'hooks',
      'docs/hooks',
      '"docs/hooks"',
    ],
  ],
  [
    'Albatross',
    [
      'albatross',
      '(-albatross)',
      '!-albatross',
      '|-albatross',
      'f(-zeta) OR zeta(-yotta)',
      'zeta<-yotta',
      'gutenbergia/or/yotta',
      '"zeta yotta"',
      '(albatross)',
    ],
  ],
  ['French', ['homme', 'hommes', 'aujourd’hui', "aujourd'hui", 'aime', 'or']],
  ['Arabic', ['كتب', 'وأقلام', 'نعم', 'كثيرة']],
  ['Hindi', ['है', 'किताब', 'दुनिया']],
  ['Persian', ['می\u200cخواهم', 'میخواهم', 'بروم']],
  [
    'Hyphens',
    [
      'hippopotamus',
      'hippo\u00adpotamus',
      'known',
      'well-known',
      'well\u2011known',
      'merry-go-round',
      'merry go round',
      '"merry go round"',
    ],
  ],
  ['Decomposed', ['résumé', 're\u0301sume\u0301', 'très']],
  ['Japanese', ['swift', 'Swift言語', '東京', '言語', '今日']],
  ['Vietnamese', ['việt', 'đẹp']],
  ['Russian', ['ёлка', 'йогурт', 'зелёные']],
  ['“Ωmega—thoughts”', ['ωmega', 'thoughts', 'Ωmega—thoughts', '"ωmega thoughts"']],
];
for (const [title, queries] of rows) {
  for (const q of queries) {
    test(`200 ${q} finds ${title}`, async () => {
      assert.deepEqual((await titlesFor(server, q)).slice(0, 1), [title]);
    });
  }
}

/** A minus inside a word excludes nothing, and `or` there is a word. */
const nothing = [
  'unheardof(-albatross)',
  '北京-albatross',
  'x<-yotta',
  'yotta <or> unheardof',
  'yotta/or/unheardof',
  'yotta或or北京',
  '(-albatross) unheardof',
  '-(albatross',
  '-5',
  '!&|()<>:*',
  '(!)',
];
for (const q of nothing) {
  test(`200 ${q} finds nothing`, async () => {
    assert.deepEqual(await titlesFor(server, q), []);
  });
}

test('200 an excluded word is excluded inside a phrase too', async () => {
  assert.deepEqual(await titlesFor(server, 'config -vue.js'), []);
  assert.deepEqual(await titlesFor(server, 'config -js.vue'), ['Joined']);
  assert.deepEqual(await titlesFor(server, 'pages -1914-1918'), []);
});

const snippets: readonly (readonly [q: string, title: string, matches: readonly string[]])[] = [
  ['hummingbird', 'Quoted', ['hummingbird']],
  ['smile flamingo', 'Quoted', ['flamingo', 'smile']],
  ['vue.js', 'Joined', ['Vue', 'js']],
  ['3.14', 'Numbers', ['3.14']],
  ['v1.2.3', 'Numbers', ['v1.2.3']],
  ['1.2.3', 'Numbers', ['1.2.3']],
  ['covid-19', 'Numbers', ['covid', '19']],
  ['hommes', 'French', ['homme']],
  ['दुनिया', 'Hindi', ['दुनिया']],
  ['میخواهم', 'Persian', ['می\u200cخواهم']],
  ['hippopotamus', 'Hyphens', ['hippopotamus']],
  ['résumé', 'Decomposed', ['résumé']],
  ['swift', 'Japanese', ['Swift']],
  ['việt', 'Vietnamese', ['Việt']],
  ['ёлка', 'Russian', ['ёлка']],
  ['йогурт', 'Russian', ['йогурт']],
];
for (const [q, title, expected] of snippets) {
  test(`200 ${q} marks ${expected.join(', ')} in ${title}`, async () => {
    const { body } = await searchFor(server, q);
    const hit = body.items.find(
      (item: { article: { title: string } }) => item.article.title === title,
    );
    assert.deepEqual(markedPieces(hit.snippet), expected);
  });
}
