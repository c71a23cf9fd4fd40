// Markdown of a million characters that costs a renderer more than any ordinary text.

const length = 1_000_000;

function filled(pattern: string, head = ''): string {
  return (head + pattern.repeat(Math.ceil(length / pattern.length))).slice(0, length);
}

/** Each name says what is repeated. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'pictures never closed: ![[]()': filled('![[]()'),
  'emphasis never closed: ****a': filled('****a'),
  'emphasis inside words: a**b': filled('a**b'),
  'emphasis crossed: *a _b': filled('*a _b '),
  'emphasis and code: *a `b': filled('*a `b '),
  'brackets: [': filled('['),
  'brackets closed: ]': filled(']'),
  'links in links: [a](b': filled('[a](b '),
  'links never closed: [a](<b': filled('[a](<b'),
  'titles never closed: [a](b "': filled('[a](b "c'),
  'pictures in pictures: ![a': filled('![a'),
  'autolinks never closed: <https://a': filled('<https://a '),
  'bare addresses with brackets': filled('www.a.example/b)))) '),
  'bare addresses, long': `https://a.example/${filled('a')}`.slice(0, length),
  'addresses of mail': filled('a@b.example '),
  'backticks of every length': filled('`a``b```c````d'),
  'code spans never closed: `a': filled('`a'),
  'escapes: \\[': filled('\\['),
  'entities: &amp;': filled('&amp;'),
  'entities never closed: &a': filled('&a'),
  'quotes in quotes: >': filled('> '),
  'lists in lists: -': filled('- '),
  'lists, indented further and further': Array.from(
    { length: 1_400 },
    (_, index) => `${' '.repeat(index)}- a\n`,
  ).join(''),
  'a table of a quarter of a million combinations': filled('|a|b|\n', '|a|b|\n|-|-|\n'),
  'a table of one row': `${filled('a|').slice(0, length / 2)}\n${filled('-|').slice(0, length / 2)}`,
  'headings of one name': filled('# a\n'),
  'task lists': filled('- [ ] a\n'),
  'definitions: [a]: b': filled('[a]: b\n'),
  'footnotes defined: [^1]: a': filled('[^1]: a\n'),
  'footnotes used: [^1]': filled('[^1]', '[^1]: a\n\n'),
  'footnotes, each its own': Array.from(
    { length: 40_000 },
    (_, index) => `[^${index}]\n\n[^${index}]: a\n\n`,
  ).join(''),
  'struck text: ~a ~~b': filled('~a ~~b '),
  'code to colour': filled('```js\nvar a = "b"; // c\n```\n'),
  'tags: <a b="': filled('<a b="'),
  'comments: <!--': filled('<!-- a '),
  'links that deceive': filled('[a.example](https://b.example) '),
  'invisible characters': filled('[\u200b](https://b.example)\u202e'),
};
