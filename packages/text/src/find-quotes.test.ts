// Quotations that stood in an earlier text and are not in the present one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTextWork } from './index.ts';
import { findChangedQuotes } from './find-quotes.ts';

const site = { baseUrl: 'http://localhost', mediaBaseUrl: 'http://localhost/media' };
const failures: Error[] = [];
const text = openTextWork((error) => failures.push(error));
after(async () => {
  await text[Symbol.asyncDispose]();
  assert.deepEqual(failures, []);
});

/** The positions of the changed quotes in a comment on a text that was another one before. */
async function changedQuotes(
  earlier: string,
  now: string,
  comment: string,
): Promise<readonly number[]> {
  const { html } = await text.render(comment, { site, below: 3 });
  const comments = [{ id: 'a', html: html ?? '', shownText: 0 }];
  return findChangedQuotes({ now, earlier: [earlier], comments })[0]?.quotes ?? [];
}

const before =
  'Moss needs **shade** and [clean water](https://example.org/a(b)c "Why")[^w].\n\n[^w]: Rain.\n';

const cases: readonly (readonly [
  name: string,
  now: string,
  comment: string,
  quotes: readonly number[],
])[] = [
  ['the passage is gone', 'Moss needs nothing.', '> Moss needs shade and clean water.', [0]],
  ['the passage stands', `${before}More.`, '> Moss needs shade and clean water.', []],
  ['only its marks have changed', before.replaceAll('**', ''), '> needs shade and clean', []],
  ['another line width', before.replaceAll(' ', '\n'), '> Moss needs\n> shade and clean', []],
  ['it is from elsewhere', 'Moss needs nothing.', '> I have never seen any moss.', []],
  ['it is too short to tell', 'Nothing.', '> Moss', []],
  [
    'the second of two',
    'Moss needs nothing.',
    '> From elsewhere, I think.\n\nYes.\n\n> shade and clean',
    [1],
  ],
  [
    'with a line of its own',
    'None.',
    '> Moss needs shade and clean water.\n>\n> — the author',
    [0],
  ],
  ['a quote in a quote', 'None.', '> I say:\n>\n> > Moss needs shade and clean water', [0]],
  ['a selection with the number of a note', 'None.', '> shade and clean water1.', [0]],
  ['marks that HTML escapes', 'None.', '> Moss needs shade & clean water', []],
  ['letters with marks of their own', 'Été', '> Moss needs shade', [0]],
];

for (const [name, now, comment, quotes] of cases)
  test(`${name}: ${quotes.length === 0 ? 'no quote' : `quote ${quotes.join()}`}`, async () => {
    assert.deepEqual(await changedQuotes(before, now, comment), quotes);
  });

test('the comments of a page on two long texts are done in the thread, and hostile ones end', async () => {
  const long = (word: string) =>
    `${`A ${word} line of text that is not the same.\n`.repeat(2_000)}End.`;
  const { html } = await text.render('> A first line of text', { site, below: 3 });
  const comments = Array.from({ length: 50 }, (_, n) => ({
    id: `${n}`,
    html: html ?? '',
    shownText: 0,
  }));
  const task = { now: long('second'), earlier: [long('first')], comments };
  const found = await text.findChangedQuotes(task, undefined);
  assert.equal(found?.length, 50);
  for (const part of ['[', '](', '[^', '`', '<', '&', '[x] '])
    assert.deepEqual(
      await text.findChangedQuotes(
        { now: part.repeat(500_000 / part.length), earlier: [part.repeat(400_000)], comments },
        undefined,
      ),
      [],
      part,
    );
});
