// Syntax of Jekyll, Hugo and Obsidian inside Markdown, as Markdown.

/** Tags that Jekyll and Hugo run, and that stay as text. */
export const templateTags = /\{%-?\s*(\w+)[^%]*%\}|\{\{[<%]\s*\/?\s*([\w./-]+)[^}]*[>%]\}\}/g;

/** `{% highlight ruby %}…{% endhighlight %}` and `{{< highlight go >}}…{{< /highlight >}}` are code. */
const highlights = [
  /^[ \t]*\{%-?\s*highlight\s+([\w+#-]+)[^%]*%\}\n?([\s\S]*?)\n?[ \t]*\{%-?\s*endhighlight\s*-?%\}/gm,
  /^[ \t]*\{\{<\s*highlight\s+"?([\w+#-]+)"?[^>]*>\}\}\n?([\s\S]*?)\n?[ \t]*\{\{<\s*\/\s*highlight\s*>\}\}/gm,
] as const;

const raw = /\{%-?\s*(?:end)?raw\s*-?%\}/g;
const figure = /\{\{<\s*figure\s+([^>]*?)\/?>\}\}/g;

/** A fence that the code does not contain. */
function fenced(language: string, code: string): string {
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

/** Returns a text of Jekyll or Hugo with code, figures and raw parts as Markdown. */
export function withoutTemplates(text: string): string {
  const [liquid, shortcode] = highlights;
  return text
    .replaceAll(liquid, (_, language: string, code: string) => fenced(language, code))
    .replaceAll(shortcode, (_, language: string, code: string) => fenced(language, code))
    .replaceAll(figure, (_, attributes: string) => figureText(attributes))
    .replaceAll(raw, '');
}

/** `![[file.png|alt]]` and `[[Note#Heading|words]]` of Obsidian. */
export const wikilinks = /(!?)\[\[([^[\]|#^\n]*)(?:[#^]([^[\]|\n]*))?(?:\|([^[\]\n]*))?\]\]/g;
/** `#tag` in a text of Obsidian: not a heading, not a number. */
export const hashtags = /(?<![\p{L}\p{N}_/#&-])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;
