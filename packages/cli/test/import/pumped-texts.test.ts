// Texts of other programs are read in time in proportion to their length, even if they are made to be slow.
// The parsers of packages run in a thread with a time limit instead: parser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { superlinear } from '../../../server/test/pumps/linear.ts';
import { withoutComments } from '../../src/import/formats/comments.ts';
import { archiveLinks } from '../../src/import/archive/media-links.ts';
import { hashtags, pageReferences, withoutTemplates } from '../../src/import/formats/dialects.ts';
import { matchesOutside } from '../../src/import/formats/markdown-links.ts';
import { plainHtml } from '../../src/import/formats/wordpress-html.ts';

const works: Readonly<Record<string, (text: string) => unknown>> = {
  'comments of Obsidian and HTML': (text) => withoutComments(text, true),
  'comments of HTML': (text) => withoutComments(text, false),
  'templates of Jekyll and Hugo': withoutTemplates,
  'references of Jekyll and Hugo': (text) => [...text.matchAll(pageReferences)],
  'links to articles of an archive': (text) =>
    archiveLinks([text], { bases: ['https://a.example'], ids: new Set() }),
  'tags of Obsidian between code': (text) => {
    const opaque = Array.from({ length: text.length >> 3 }, (_, nth) => ({
      start: nth * 8,
      end: nth * 8 + 1,
    }));
    return matchesOutside(text, { links: [], opaque }, hashtags);
  },
  'HTML of WordPress': (text) => plainHtml(text, () => undefined),
};

const addresses = [
  '/@a/',
  '/@a',
  '/@a/b-',
  'https://a.example',
  '{% link a',
  '{{< ref "',
  '{{site.baseurl}}',
];

/** Openings without an end, and what could be scanned again and again. */
const markdown = [
  '`',
  '%%',
  '%% %',
  '` ``',
  '  - ```\n',
  '  ```x\n',
  '- ~~~~\n~~~\n',
  '  ~~~x\n',
  ' ````a\n```\n',
  '`a` #b ',
  '>',
  '- ',
  '~~~ \n`',
  '\n',
  ' ',
  '<!--',
  '<!-- -',
  'a <!-- ',
  '    <!--\n',
  '\n\n    `',
];
const templates = [
  '{% highlight a %}\n',
  '{% highlight a ',
  '{{< highlight a >}}\n',
  '{{< highlight "a ',
  '{% endhighlight ',
  '{{< figure ',
  '{{< figure src="',
  '{{< figure src="a" alt=',
  '{% raw %}',
  '{% comment %}',
  '{% # ',
  '{{< comment >}}',
  '{%',
  '{{<',
  '\t',
];
const html = [
  '<pre>',
  '<pre ',
  '<code>',
  '<script a="',
  '[caption]',
  '[caption ',
  '[caption a="',
  '[caption]<img ',
  '[audio src=',
  '[embed]',
  '[abc a=',
  '[/abc',
  '\uE000',
  '\n\t',
  '<',
  '[',
];

for (const [name, work] of Object.entries(works)) {
  test(`${name}: time grows with the text`, () => {
    const units = [...markdown, ...templates, ...html, ...addresses];
    const pumps = units.flatMap((unit) => [
      { prefix: '', unit, tail: 'b' },
      { prefix: 'a', unit, tail: '' },
      { prefix: '[caption ', unit, tail: ']' },
      { prefix: '[caption]', unit, tail: '[/caption]' },
      { prefix: '{{< figure ', unit, tail: '>}}' },
    ]);
    assert.equal(superlinear(work, pumps), undefined);
  });
}
