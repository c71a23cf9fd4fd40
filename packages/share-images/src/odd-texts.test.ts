// Tests of titles and names with rare, blank and mixed characters at their maximum length.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { effort } from '../../server/test/effort.ts';
import { startProgram } from '../test/program.ts';
import type { Card } from './index.ts';

const drawing = await startProgram();
after(() => drawing[Symbol.asyncDispose]());

const card: Card = {
  title: '',
  language: 'en',
  direction: 'ltr',
  kind: 'agent',
  username: 'ann',
  displayName: null,
  ownerUsername: 'bob',
  disclosure: 'ai_assisted',
  host: 'example.org',
};

function draw(shown: Partial<Card>): Promise<Buffer> {
  return drawing.draw({ ...card, ...shown });
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function cutOut(png: Buffer, area: Area): Promise<Buffer> {
  return sharp(png).extract(area).raw().toBuffer();
}

/** Compares bytes: listing the differences of images would not help. */
function same(one: Buffer, other: Buffer, what = 'images'): void {
  assert.equal(one.equals(other), true, what);
}

function differ(one: Buffer, other: Buffer, what = 'images'): void {
  assert.equal(one.equals(other), false, what);
}

const dash = '\u2E3B';
const basmala = '\uFDFD';
/** Characters that are written before others form one unit with them. */
const widest = `${'\u0601'.repeat(11)}${basmala}`;

test('the basmala is drawn alone and beside others, though no font has a bold one', async () => {
  differ(await draw({ title: basmala }), await draw({ title: '' }));
  const title = 'مقدمة الكتاب';
  differ(await draw({ title: `${basmala} ${title}` }), await draw({ title }));
});

test('a title of nothing but punctuation is cut and not emptied', async () => {
  differ(await draw({ title: dash.repeat(300) }), await draw({ title: '…' }));
});

const wideNames: readonly [string, string][] = [
  ['one basmala', basmala],
  ['120 of them', basmala.repeat(120)],
  ['120 dashes of three', dash.repeat(120)],
  ['one sign that is wider than its place', widest],
];
for (const [what, displayName] of wideNames) {
  test(`a name is drawn and leaves the badges alone: ${what}`, async () => {
    const [png, unnamed] = [await draw({ displayName }), await draw({})];
    differ(png, unnamed);
    const badges = { left: 770, top: 490, width: 430, height: 140 };
    same(await cutOut(png, badges), await cutOut(unnamed, badges));
  });
}

const unseenTexts = ['', ' \n\u3000', '\u200B\u200D', '\u3164', '\u2800', '\u{E0041}', '\uFFFF'];

test('a title of which nothing is seen is "Untitled", in another ink than a title of that name', async () => {
  const untitled = await draw({ title: '' });
  const place = await cutOut(untitled, { left: 60, top: 132, width: 600, height: 312 });
  assert.ok(place.some((shade) => shade < 150));
  for (const title of unseenTexts) same(await draw({ title }), untitled, JSON.stringify(title));
  differ(await draw({ title: 'Untitled' }), untitled);
});

test('instead of a display name of which nothing is seen stands the username', async () => {
  const unnamed = await draw({ displayName: null });
  for (const displayName of unseenTexts)
    same(await draw({ displayName }), unnamed, JSON.stringify(displayName));
});

const wide = [
  ...'\uFDFD\u2E3B\u2E3A\u{1242B}\u{12219}\uA9C5\u102A\uFDFA\u0BF5\u337F\uFB03\u{1D54F}Wi',
];
const words = [
  'Ångström Жук λόγος العنوان كـــتاب שָׁלוֹם क्ष्त्र्य শ্রী ஸ்ரீ ภาษาไทย ខ្មែរ မြန်မာ 漢字 한글 かな ᠮᠣᠩᠭᠣᠯ བོད་ཡིག',
  'Donaudampfschifffahrtsgesellschaft 👩‍👩‍👧‍👦 👩🏽‍🚀 🇩🇪 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u1112\u1161\u11AB \u0301 \u0378 \uD800 <b> &amp; %s \\',
].flatMap((line) => line.split(' '));
const stacked = [
  `Z${'\u0310\u0330\u0333\u20DD'.repeat(60)}`,
  `ع${'\u064B\u0651'.repeat(80)}`,
  `👩${'\u200D👩'.repeat(40)}`,
  widest,
];
const unseen = [
  ...'\u0000\u0007\n\u0085\u00AD\u034F\u061C\u115F\u200B\u200D\u200E\u200F\u202E\u2066\u2800\u3164',
  ...'\uE000\uFE0F\uFEFF\uFFFF\u{E0041}\u{E0100}',
];

/** One letter repeated, or several letters in any order, in words or without a break. */
const odd = fc
  .record({
    some: fc.array(fc.constantFrom(...wide, ...words, ...stacked), { minLength: 1, maxLength: 3 }),
    others: fc.array(fc.constantFrom(...unseen), { maxLength: 2 }),
    between: fc.constantFrom('', '', ' '),
    times: fc.constantFrom(1, 4, 300),
  })
  .map(({ some, others, between, times }) =>
    `${[...some, ...others].join(between)}${between}`.repeat(times),
  );

const places = {
  title: (text: string) => ({ title: [...text].slice(0, 300).join('') }),
  'display name': (text: string) => ({ displayName: [...text].slice(0, 120).join('') }),
};

for (const [place, shownOf] of Object.entries(places)) {
  test(`a ${place} of odd letters is drawn`, async () => {
    const blank = await draw(shownOf(''));
    await fc.assert(
      fc.asyncProperty(odd, async (text) => {
        const png = await draw(shownOf(text));
        const { width, height } = await sharp(png).metadata();
        assert.deepEqual([width, height], [1200, 630]);
        differ(png, blank, 'drawn as if it were blank');
      }),
      { numRuns: effort(18, 700) },
    );
  });
}
