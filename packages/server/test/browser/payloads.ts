// Markdown that tries to run a script in who reads it: every vector in every place that a text can have it.

export interface Payload {
  readonly vector: string;
  readonly place: string;
  readonly markdown: string;
}

/** Tags and attributes that run `js`, with what they need to break out of. */
function tags(js: string): Record<string, string> {
  return {
    script: `<script>${js}</script>`,
    'script, odd': `<scr\0ipt/x>${js}</script >`,
    'image error': `<img src=x onerror=${js}>`,
    'image error, slashes': `<img/src=x/onerror=${js}//`,
    'svg load': `<svg onload=${js}>`,
    'svg script': `<svg><script>${js}</script></svg>`,
    'svg animate': `<svg><a><animate attributeName=href values=javascript:${js} /><text y=20>x</text></a></svg>`,
    'frame document': `<iframe srcdoc="&lt;script>${js}&lt;/script>"></iframe>`,
    'frame address': `<iframe src="javascript:${js}"></iframe>`,
    details: `<details open ontoggle=${js}>x</details>`,
    focus: `<input autofocus onfocus=${js}>`,
    form: `<form action="javascript:${js}"><button>x</button></form>`,
    refresh: `<meta http-equiv="refresh" content="0;url=javascript:${js}">`,
    base: `<base href="https://evil.example/">`,
    object: `<object data="javascript:${js}"></object>`,
    anchor: `<a href="javascript:${js}">x</a>`,
    'mutation, math': `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${js}&gt;">`,
    'mutation, noscript': `<noscript><p title="</noscript><img src=x onerror=${js}>">`,
    'out of a title': `</title></textarea></style><script>${js}</script>`,
    'out of a comment': `<!--><script>${js}</script>-->`,
    'out of double quotes': `"><img src=x onerror=${js}>`,
    'out of single quotes': `'><img src=x onerror=${js}>`,
    'attribute, double': `" onerror="${js}" onmouseover="${js}" autofocus onfocus="${js}" x="`,
    'attribute, single': `' onerror='${js}' onmouseover='${js}' autofocus onfocus='${js}' x='`,
    'escaped bracket': `\\<script>${js}\\</script>`,
    'entities for brackets': `&lt;script&gt;${js}&lt;/script&gt; &#60;img src=x onerror=${js}&#62;`,
    'style import': `<style>@import "https://evil.example/x.css";</style>`,
    'link sheet': `<link rel=stylesheet href=https://evil.example/x.css>`,
    clobber: `<form id=location><input name=ran id=documentElement></form>`,
  };
}

/** Addresses that run `js` when they are loaded or followed. */
function addresses(js: string): Record<string, string> {
  return {
    javascript: `javascript:${js}`,
    'mixed case': `JaVaScRiPt:${js}`,
    'tab inside': `java\tscript:${js}`,
    'tab as entity': `java&Tab;script:${js}`,
    'line feed as entity': `java&#10;script:${js}`,
    'control character first': `\u0001javascript:${js}`,
    'space as entity first': `&#32;javascript:${js}`,
    'letter as entity': `&#106;avascript:${js}`,
    'letter as hex entity': `&#x6A;avascript:${js}`,
    'colon as entity': `javascript&colon;${js}`,
    'colon escaped': `javascript\\:${js}`,
    'percent encoded': `javascript%3A${js}`,
    'comment first': `javascript://%0a${js}`,
    'https first': `https:javascript:${js}`,
    'view source': `view-source:javascript:${js}`,
    vbscript: `vbscript:${js}`,
    'data html': `data:text/html,<script>${js}</script>`,
    'data html base64': `data:text/html;base64,${btoa(`<script>${js}</script>`)}`,
    'data svg': `data:image/svg+xml,<svg/onload=${js}>`,
    blob: `blob:https://evil.example/1`,
    file: `file:///etc/passwd`,
    'no scheme': `//evil.example/x.js`,
    backslashes: `https:\\\\evil.example\\x.js`,
    'full width': `ｊａｖａｓｃｒｉｐｔ:${js}`,
  };
}

const places: Readonly<Record<string, (vector: string) => string>> = {
  paragraph: (v) => v,
  'inside a line': (v) => `word *${v}* word`,
  heading: (v) => `# ${v}\n\n## ${v} {#${v}}`,
  quote: (v) => `> ${v}`,
  'task list': (v) => `- [x] ${v}\n- [ ](${v})`,
  'table combination': (v) => `| a | b |\n|---|:-:|\n| ${v} | [x](${v}) |`,
  'code span': (v) => `\`${v}\``,
  'code block': (v) => `\`\`\`html\n${v}\n\`\`\``,
  'language of a code block': (v) => `~~~ ${v}\ncode\n~~~`,
  'link address': (v) => `[x](${v})`,
  'link address in brackets': (v) => `[x](<${v}>)`,
  'link title': (v) => `[x](https://e.example "${v}") [y](https://e.example '${v}') [z](/x (${v}))`,
  'link text': (v) => `[${v}](https://e.example)`,
  'link to a heading': (v) => `[x](#${v}) [y](<#${v}>)`,
  'picture address': (v) => `![x](${v}) ![y](<${v}>)`,
  'picture words': (v) => `![${v}](https://e.example/x.png)`,
  'own picture words and title': (v) => `![${v}](/media/01ARZ3NDEKTSV4RRFFQ69G5FAV "${v}")`,
  'own picture address': (v) => `![x](</media/01ARZ3NDEKTSV4RRFFQ69G5FAV${v}>)`,
  autolink: (v) => `<${v}>`,
  'bare address': (v) => `https://e.example/${v} www.e.example/${v} a@e.example${v}`,
  'reference definition': (v) => `[r]: <${v}>\n[s]: ${v} "${v}"\n\n[r] [s] ![r] [x][r]`,
  'reference label': (v) => `[${v}]: https://e.example\n\n[${v}]`,
  'footnote text': (v) => `x[^1]\n\n[^1]: ${v} [y](${v})`,
  'footnote label': (v) => `x[^${v}]\n\n[^${v}]: y`,
};

/** Every vector in every place; each runs `ran(number)` of the uppermost window. */
export function payloads(): readonly Payload[] {
  const list: Payload[] = [];
  for (const [place, put] of Object.entries(places)) {
    const names = Object.keys({ ...tags(''), ...addresses('') });
    for (const name of names) {
      const js = `top.ran(${list.length})`;
      const vector = { ...tags(js), ...addresses(js) }[name] ?? '';
      list.push({ vector: name, place, markdown: put(vector) });
    }
  }
  return list;
}

/** The Markdown of those that stand in a paragraph and may be a title or a name: without control characters. */
export const titlePayloads = (): readonly string[] =>
  payloads()
    .filter(({ place, markdown }) => place === 'paragraph' && !/\p{Cc}/u.test(markdown))
    .map(({ markdown }) => markdown);
