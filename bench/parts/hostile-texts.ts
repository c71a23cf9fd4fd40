// Markdown of a million characters that costs a renderer more than any ordinary text.

const length = 1_000_000;

function fill(pattern: string, head = ''): string {
  return (head + pattern.repeat(Math.ceil(length / pattern.length))).slice(0, length);
}

/** Each name says what is repeated. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'pictures never closed: ![[]()': fill('![[]()'),
  'emphasis never closed: ****a': fill('****a'),
  'emphasis inside words: a**b': fill('a**b'),
  'emphasis crossed: *a _b': fill('*a _b '),
  'emphasis and code: *a `b': fill('*a `b '),
  'brackets: [': fill('['),
  'brackets closed: ]': fill(']'),
  'links in links: [a](b': fill('[a](b '),
  'links never closed: [a](<b': fill('[a](<b'),
  'titles never closed: [a](b "': fill('[a](b "c'),
  'pictures in pictures: ![a': fill('![a'),
  'autolinks never closed: <https://a': fill('<https://a '),
  'bare addresses with brackets': fill('www.a.example/b)))) '),
  'bare addresses, long': `https://a.example/${fill('a')}`.slice(0, length),
  'addresses of mail': fill('a@b.example '),
  'backticks of every length': fill('`a``b```c````d'),
  'code spans never closed: `a': fill('`a'),
  'escapes: \\[': fill('\\['),
  'entities: &amp;': fill('&amp;'),
  'entities never closed: &a': fill('&a'),
  'quotes in quotes: >': fill('> '),
  'lists in lists: -': fill('- '),
  'lists, indented further and further': Array.from(
    { length: 1_400 },
    (_, index) => `${' '.repeat(index)}- a\n`,
  ).join(''),
  'a table of a quarter of a million combinations': fill('|a|b|\n', '|a|b|\n|-|-|\n'),
  'a table of one row': `${fill('a|').slice(0, length / 2)}\n${fill('-|').slice(0, length / 2)}`,
  'headings of one name': fill('# a\n'),
  'task lists': fill('- [ ] a\n'),
  'definitions: [a]: b': fill('[a]: b\n'),
  'footnotes defined: [^1]: a': fill('[^1]: a\n'),
  'footnotes used: [^1]': fill('[^1]', '[^1]: a\n\n'),
  'footnotes, each its own': Array.from(
    { length: 40_000 },
    (_, index) => `[^${index}]\n\n[^${index}]: a\n\n`,
  ).join(''),
  'struck text: ~a ~~b': fill('~a ~~b '),
  'code to colour': fill('```js\nvar a = "b"; // c\n```\n'),
  'tags: <a b="': fill('<a b="'),
  'comments: <!--': fill('<!-- a '),
  'links that deceive': fill('[a.example](https://b.example) '),
  'invisible characters': fill('[\u200b](https://b.example)\u202e'),
};
