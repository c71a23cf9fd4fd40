// Syntax of Jekyll, Hugo and Obsidian inside Markdown, as Markdown.
import { replacePairs } from './paired.ts';
import type { Pair, Pairs } from './paired.ts';

/** Tags that Jekyll and Hugo run, and that stay as text. */
export const templateTags =
  /\{%-?\s*(\w+)(?!\w)(?:[^%{]|\{(?!%))*%\}|\{\{[<%]\s*(?:\/\s*)?([\w./-]+)(?![\w./-])(?:[^{}]|\{(?!\{))*\}\}/g;

/** `{% comment %}…{% endcomment %}`; in a raw part, it is text. */
const liquidComments: Pairs = {
  opening: /\{%-?\s*(raw|comment)\s*-?%\}/g,
  closingOf: ([, name]) => (name === 'raw' ? endRaw : endComment),
};
const endRaw = /\{%-?\s*endraw\s*-?%\}/g;
const endComment = /\{%-?\s*endcomment\s*-?%\}/g;
/** `{% # a comment %}` */
const inlineComment = /\{%-?\s*#(?:[^%{]|\{(?!%))*%\}/g;
/** `{{< comment >}}…{{< /comment >}}` of Hugo. */
const endShortcodeComment = /\{\{[<%]\s*\/\s*comment\s*[>%]\}\}/g;
const shortcodeComments: Pairs = {
  opening: /\{\{[<%]\s*comment\s*[>%]\}\}/g,
  closingOf: () => endShortcodeComment,
};

/** `{% highlight ruby %}…{% endhighlight %}` and `{{< highlight go >}}…{{< /highlight >}}` are code. */
const endHighlight = /\{%-?\s*endhighlight\s*-?%\}/g;
const endShortcode = /\{\{<\s*\/\s*highlight\s*>\}\}/g;
const highlights: readonly Pairs[] = [
  {
    opening: /^[ \t]*\{%-?\s*highlight\s+([\w+#-]+)(?![\w+#-])(?:[^%{]|\{(?!%))*%\}\n?/gm,
    closingOf: () => endHighlight,
  },
  {
    opening: /^[ \t]*\{\{<\s*highlight\s+"?([\w+#-]+)(?![\w+#-])(?:[^>{]|\{(?!\{))*>\}\}\n?/gm,
    closingOf: () => endShortcode,
  },
];

const raw = /\{%-?\s*(?:end)?raw\s*-?%\}/g;
const figure = /\{\{<\s*figure\s((?:[^>{]|\{(?!\{))*)>\}\}/g;

/** A fence that the code does not contain. */
function fenceCode(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

function attribute(text: string, name: string): string {
  const [, a = ''] = new RegExp(String.raw`\b${name}\s*=\s*"([^"]*)"`).exec(text) ?? [];
  return a;
}

function figureText(attributes: string): string {
  const source = attribute(attributes, 'src').replaceAll(' ', '%20');
  const words = attribute(attributes, 'caption') || attribute(attributes, 'title');
  const alt = attribute(attributes, 'alt') || words;
  return `![${alt.replaceAll(/[[\]]/g, '')}](${source})${words === '' ? '' : `\n\n*${words}*`}`;
}

/** Code up to its closing tag, which may be on a line of its own. */
function codeBefore(text: string): string {
  return text.replace(/(?<![ \t])[ \t]*$/, '').replace(/\n$/, '');
}

function markHighlights(text: string, pairs: Pairs): string {
  return replacePairs(text, pairs, ({ opened: [, language = ''], inner }) =>
    inner === undefined ? undefined : fenceCode(language, codeBefore(inner)),
  );
}

const unwrap = ({ inner }: Pick<Pair, 'inner'>) => (inner === undefined ? undefined : '');

/** Returns a text without the comments of Jekyll and Hugo. One without an end stays: neither builds a site with it. */
function removeComments(text: string): string {
  const bare = replacePairs(text, liquidComments, ({ opened, inner }) =>
    opened[1] === 'raw' ? undefined : unwrap({ inner }),
  );
  return replacePairs(bare.replaceAll(inlineComment, ''), shortcodeComments, unwrap);
}

/** `]({{ site.baseurl }}/a.png)`: Markdown takes an address with spaces for no link. */
const siteAddresses =
  /(\]\(<?|\b(?:src|href)=["'])(?:\{\{-? {0,8}site\.(?:base)?url {0,8}-?\}\}){1,2}(?=\/|\{%)/g;
/** `]({{ "/a.png" | relative_url }})` */
const siteFilters =
  /(\]\(<?|\b(?:src|href)=["'])\{\{-? {0,8}(["'])([^"'{}\n]{1,500})\2 {0,8}\| {0,8}(?:relative_url|absolute_url|prepend: {0,8}site\.(?:base)?url) {0,8}-?\}\}/g;

function withAddresses(text: string): string {
  return text
    .replaceAll(siteAddresses, '$1')
    .replaceAll(
      siteFilters,
      (_, before: string, _quote: string, path: string) => before + path.replaceAll(' ', '%20'),
    );
}

const rawParts: Pairs = { opening: /\{%-?\s*raw\s*-?%\}/g, closingOf: () => endRaw };

/** Returns a text of Jekyll or Hugo without its comments, and with code, figures and raw parts as Markdown. */
export function withoutTemplates(text: string): string {
  const bare = replacePairs(
    removeComments(text),
    rawParts,
    ({ inner, whole }) => (inner === undefined ? undefined : whole),
    withAddresses,
  );
  return highlights
    .reduce(markHighlights, bare)
    .replaceAll(figure, (_, attributes: string) => figureText(attributes))
    .replaceAll(raw, '');
}

/**
 * Addresses of pages that Jekyll and Hugo look up: `{% post_url 2026-11-23-name %}`, `{% link _posts/a.md %}`,
 * `{{< ref "a.md" >}}`.
 */
export const pageReferences =
  /(?:\{\{ ?site\.baseurl ?\}\})?\{%-? {0,8}(post_url|link) {1,8}([^\s%{}]{1,500}) {0,8}-?%\}|\{\{[<%] {0,8}(ref|relref) {1,8}"?([^\s"{}<>]{1,500})"? {0,8}[>%]\}\}/g;

/** `![[file.png|alt]]` and `[[Note#Heading|words]]` of Obsidian. */
export const wikilinks = /(!?)\[\[([^[\]|#^\n]*)(?:[#^]([^[\]|\n]*))?(?:\|([^[\]\n]*))?\]\]/g;
/** `#tag` in a text of Obsidian: not a heading, not a number. */
export const hashtags = /(?<![\p{L}\p{N}_/#&-])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;
