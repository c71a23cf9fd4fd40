// Tests of drawn share images: size, scripts, directions, and titles of every length.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '../../server/test/any-text.ts';
import sharp from 'sharp';
import { effort } from '../../server/test/effort.ts';
import { startProgram } from '../test/program.ts';
import type { Card } from './index.ts';

const drawing = await startProgram();
after(() => drawing[Symbol.asyncDispose]());

const example: Card = {
  title: 'A title',
  language: 'en',
  kind: 'human',
  username: 'ann',
  displayName: 'Ann Example',
  ownerUsername: null,
  direction: 'ltr',
  disclosure: 'human_authored',
  host: 'example.org',
};

function draw(card: Partial<Card>): Promise<Buffer> {
  return drawing.draw({ ...example, ...card });
}

/** Compares bytes: listing the differences of images would not help. */
function same(one: Buffer, other: Buffer, what = 'images'): void {
  assert.equal(one.equals(other), true, what);
}

function differ(one: Buffer, other: Buffer, what = 'images'): void {
  assert.equal(one.equals(other), false, what);
}

const drawTitle = (title: string, language = 'en') => draw({ title, language });

/** Where something is drawn in the area of the title, in pixels of the image. */
async function inkOf(png: Buffer) {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const ink = { left: info.width, right: -1, top: info.height, bottom: -1 };
  for (let y = 110; y < 480; y += 1)
    for (let x = 0; x < info.width; x += 1) {
      if ((data[y * info.width + x] ?? 255) > 128) continue;
      ink.left = Math.min(ink.left, x);
      ink.right = Math.max(ink.right, x);
      ink.top = Math.min(ink.top, y);
      ink.bottom = Math.max(ink.bottom, y);
    }
  return ink;
}

test('every kind of author and disclosure: a PNG of 1200 × 630, each different', async () => {
  const seen = new Set<string>();
  for (const kind of ['human', 'agent'] as const) {
    for (const disclosure of ['human_authored', 'ai_assisted', 'ai_generated'] as const) {
      const png = await draw({ kind, disclosure });
      const { format, width, height } = await sharp(png).metadata();
      assert.deepEqual([format, width, height], ['png', 1200, 630]);
      seen.add(png.toString('base64'));
    }
  }
  assert.equal(seen.size, 6);
});

test('everything that the key is made of is drawn', async () => {
  const first = await draw({});
  const others: readonly Partial<Card>[] = [
    { title: 'Another' },
    { username: 'bob' },
    { displayName: 'Bob Example' },
    { displayName: null },
    { ownerUsername: 'carla' },
    { host: 'example.com' },
  ];
  for (const other of others) differ(await draw(other), first, JSON.stringify(other));
  same(await draw({}), first);
});

const scripts: readonly [script: string, language: string, one: string, other: string][] = [
  ['Latin', 'en', 'b', 'd'],
  ['Latin with marks', 'vi', 'ệ', 'ễ'],
  ['Cyrillic', 'ru', 'ж', 'ш'],
  ['Greek', 'el', 'λ', 'ξ'],
  ['Arabic', 'ar', 'ع', 'ش'],
  ['Hebrew', 'he', 'א', 'ש'],
  ['Devanagari', 'hi', 'क', 'श'],
  ['Bengali', 'bn', 'ক', 'শ'],
  ['Tamil', 'ta', 'க', 'ஷ'],
  ['Telugu', 'te', 'క', 'ష'],
  ['Kannada', 'kn', 'ಕ', 'ಷ'],
  ['Malayalam', 'ml', 'ക', 'ഷ'],
  ['Gujarati', 'gu', 'ક', 'શ'],
  ['Gurmukhi', 'pa', 'ਕ', 'ਸ'],
  ['Odia', 'or', 'କ', 'ଶ'],
  ['Sinhala', 'si', 'ක', 'ශ'],
  ['Thai', 'th', 'ก', 'ฮ'],
  ['Lao', 'lo', 'ກ', 'ຮ'],
  ['Khmer', 'km', 'ក', 'ហ'],
  ['Burmese', 'my', 'က', 'ဟ'],
  ['Georgian', 'ka', 'ა', 'ჰ'],
  ['Armenian', 'hy', 'ա', 'ք'],
  ['Ethiopic', 'am', 'ሀ', 'ፐ'],
  ['simplified Chinese', 'zh', '简', '体'],
  ['traditional Chinese', 'zh-Hant', '繁', '龜'],
  ['Japanese', 'ja', 'あ', '骨'],
  ['Korean', 'ko', '한', '글'],
  ['emoji', 'en', '🚀', '🌍'],
  ['emoji of several', 'en', '👩‍🔬', '👩‍🚀'],
  ['flags', 'en', '🇩🇪', '🇫🇷'],
  ['symbols', 'en', '→', '∞'],
];
for (const [script, language, one, other] of scripts) {
  test(`${script} has letters, and no boxes`, async () => {
    // A character of a script that no bundled font supports.
    const missing = await drawTitle('𒀀', language);
    const [first, second] = [await drawTitle(one, language), await drawTitle(other, language)];
    differ(first, second);
    differ(first, missing);
    differ(second, missing);
  });
}

test('letters that no font has are boxes, all alike, and the rest is drawn', async () => {
  same(await drawTitle('𒀀'), await drawTitle('𓀀'));
  same(await drawTitle('𒀀'), await drawTitle('\u0378'), 'a code point that stands for nothing yet');
  differ(await drawTitle('𒀀 a'), await drawTitle('𒀀 b'));
});

test('Han characters have the shapes of their language', async () => {
  const shapes = await Promise.all(
    ['zh', 'zh-TW', 'ja', 'ko'].map((tag) => drawTitle('骨直', tag)),
  );
  assert.ok(new Set(shapes.map((png) => png.toString('base64'))).size >= 3);
  same(await drawTitle('骨のある話', 'und'), await drawTitle('骨のある話', 'ja'));
});

test('letters are shaped: what joins is not drawn as what stands alone', async () => {
  for (const [joined, apart] of [
    ['لا', 'ل\u200Cا'],
    ['क्ष', 'क्\u200Cष'],
  ] as const)
    differ(await drawTitle(joined), await drawTitle(apart));
});

test('a title from right to left stands at the right margin, others at the left one', async () => {
  const titles = [
    'למה',
    'لماذا',
    'Why',
    'GPT-5 שינה את הכל',
    `${'GPT-5 שינה את הכל. '.repeat(6)}?`,
  ];
  for (const title of titles) {
    const [right, left] = [await draw({ title, direction: 'rtl' }), await draw({ title })];
    assert.ok(Math.abs((await inkOf(right)).right - 1128) <= 8, title);
    assert.ok(Math.abs((await inkOf(left)).left - 72) <= 16, title);
  }
  assert.ok(Math.abs((await inkOf(await drawTitle('なぜ'))).left - 72) <= 16);
});

test('the direction of a title orders its words, whatever its first letter is', async () => {
  const inOrder = (title: string, direction: 'ltr' | 'rtl') => draw({ title, direction });
  differ(await inOrder('GPT-5 שינה את הכל', 'rtl'), await inOrder('GPT-5 שינה את הכל', 'ltr'));
  differ(await inOrder('שלום is a word', 'ltr'), await inOrder('שלום is a word', 'rtl'));
  // Marks stand at the ends that the direction gives them.
  differ(await inOrder('(a) ב?', 'rtl'), await inOrder('(a) ב?', 'ltr'));
});

const long: readonly [string, string][] = [
  ['words', 'Nothing is as long as a title that does not end. '.repeat(9).slice(0, 300)],
  ['one word', 'W'.repeat(300)],
  ['Chinese', '漢字'.repeat(150)],
  ['Arabic', 'العنوان الطويل '.repeat(20)],
  ['emoji', '👩‍🔬'.repeat(100)],
  ['marks', `${'Z\u0338\u0321\u0322\u031B'.repeat(60)}`],
  ['the widest letter', '\uFDFD'.repeat(300)],
  [
    'the widest letter in words, one of them long',
    `${'\uFDFD'.repeat(44)}${' \uFDFD'.repeat(128)}`,
  ],
  ['a first sign that is wider than the place', `${'\u0601'.repeat(11)}\uFDFD and more`],
  ['dashes of three', '\u2E3B'.repeat(300)],
  ['dashes of two', '\u2E3A'.repeat(300)],
];
for (const [what, title] of long) {
  test(`300 characters stay inside their place: ${what}`, async () => {
    const ink = await inkOf(await drawTitle(title));
    assert.ok(ink.left < ink.right && ink.top < ink.bottom, JSON.stringify(ink));
    assert.ok(ink.left >= 68 && ink.right <= 1132, JSON.stringify(ink));
    assert.ok(ink.top >= 128 && ink.bottom <= 448, JSON.stringify(ink));
  });
}

test('what is left out is told by an ellipsis: two long titles with one beginning look the same', async () => {
  const beginning = 'WE SHOUT SO MUCH THAT NO IMAGE HOLDS IT '.repeat(8).slice(0, 290);
  same(await drawTitle(`${beginning} abc`), await drawTitle(`${beginning} xyz`));
});

test('markup is text', async () => {
  const plain = await drawTitle('bold');
  for (const title of ['<b>bold</b>', '<span size="99999">bold', '&#98;old', 'bold</span>', '&'])
    differ(await drawTitle(title), plain);
  differ(await drawTitle('&amp;'), await drawTitle('&'));
});

test('what cannot be seen changes nothing', async () => {
  const plain = await drawTitle('ab');
  for (const title of [
    'a\u0000b',
    ' a\u202Eb\n',
    '\uFEFFab',
    'a\u2066b',
    'a\u{E0041}b',
    'a\u{E0080}b',
  ])
    same(await drawTitle(title), plain, JSON.stringify(title));
});

test('any text is drawn in the right size', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCodePoint, maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '',
      ' ',
      '\u0000',
      '\u200D',
      '\u0301',
      '\u2800',
      '\u3164',
      '\u00AD',
      '\uFFFF',
      '%s%n',
      '\\',
    ),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (title, displayName) => {
      const { width, height } = await sharp(await draw({ title, displayName })).metadata();
      assert.deepEqual([width, height], [1200, 630]);
    }),
    { numRuns: effort(4, 800) },
  );
});
