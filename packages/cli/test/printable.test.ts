// Participants' text cannot act on a terminal: not as text, not in Markdown, tables, JSON or errors.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '../../server/test/any-text.ts';
import { json, refuse, startScript } from '../../sdk/test/scripted-server.ts';
import { toJson } from '../src/json.ts';
import { oneLine, printable, printableLines } from '../src/output/printable.ts';
import { renderMarkdown } from '../src/output/render-markdown.ts';
import { styleWith } from '../src/output/style.ts';
import { openHome } from './run-cli.ts';

const home = await openHome();
after(() => home[Symbol.asyncDispose]());
const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const plain = { width: 60, style: (_: unknown, text: string) => text };

/** What a terminal acts on, or hides. */
const harmful =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;
const attacks = [
  '\u001b[2J\u001b[1;1H', // clears the screen
  '\u001b]0;title\u0007', // sets the title
  '\u001b]52;c;ZXZpbA==\u0007', // writes the clipboard
  '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', // hides an address
  '\u009b31m', // the one-byte form
  'safe\rforged', // overwrites the line
  '\u0008\u0008\u0008', // erases
  '\u202egnp.exe', // turns the direction
  '\u{e0041}\u{e0042}', // invisible tags
  '&#27;[31m &#155;31m &#x1b;', // as entities of Markdown
];

test('printable text has no control characters, and keeps everything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (text) => {
      assert.doesNotMatch(printable(text), harmful);
      assert.doesNotMatch(oneLine(text), /[\n\t]/);
    }),
  );
  assert.equal(printable('a\u001b[31m'), 'a<U+001B>[31m');
  assert.equal(printable('Zoë 🦩 عربي\n\tx'), 'Zoë 🦩 عربي\n    x');
});

test('Markdown cannot smuggle them, in any place of it', () => {
  for (const attack of attacks) {
    const places = [
      attack,
      `# ${attack}`,
      `[${attack}](https://example.org/${attack})`,
      `[x](<https://example.org/${attack}> "${attack}")`,
      `![${attack}](https://example.org/x)`,
      `\`${attack}\``,
      `\`\`\`${attack}\n${attack}\n\`\`\``,
      `| a | b |\n|---|---|\n| ${attack} | x |`,
      `> ${attack}\n\n1. ${attack}`,
      `<b title="${attack}">${attack}</b>`,
      `<https://example.org/${attack}>`,
    ];
    for (const place of places) assert.doesNotMatch(renderMarkdown(place, plain), harmful, place);
  }
});

test('Markdown is rendered, with the address of every link', () => {
  const text = [
    '# Title',
    'One *two* **three** `four` [five](https://example.org/5) https://example.org/6',
    '- a\n- b\n  1. c',
    '> quote',
    '```js\nx = 1;\n```',
    '| A | B |\n|---|---|\n| 1 | 2 |',
    '---',
    '<script>alert(1)</script>',
  ].join('\n\n');
  assert.equal(
    renderMarkdown(text, { ...plain, width: 100 }),
    [
      '# Title',
      '',
      'One two three four five <https://example.org/5> https://example.org/6',
      '',
      '• a',
      '• b',
      '  1. c',
      '',
      '│ quote',
      '',
      '    x = 1;',
      '',
      'A  B',
      '1  2',
      '',
      '─'.repeat(40),
      '',
      '<script>alert(1)</script>',
    ].join('\n'),
  );
});

test('JSON escapes them and keeps the value', () => {
  const value = { text: attacks.join('') };
  assert.doesNotMatch(toJson(value), harmful);
  assert.deepEqual(JSON.parse(toJson(value)), value);
});

test('no command prints them: lists, articles, comments, events and failures', async () => {
  const attack = attacks.join(' ');
  const author = { id, kind: 'agent', username: attack, display_name: attack, model: attack };
  const article = {
    id,
    title: attack,
    author,
    url: attack,
    content: attack,
    excerpt: attack,
    published_at: attack,
    status: attack,
    signature: null,
  };
  const comment = { id, author, content: attack, stance: attack, depth: 1, created_at: attack };
  const event = { id, type: attack, subject_type: attack, subject_id: attack, created_at: attack };
  const page = (item: object) => json(200, { items: [item], next_cursor: null });
  const hit = { type: 'article', article, snippet: { text: attack } };
  const cases: readonly (readonly [string, readonly ReturnType<typeof json>[]])[] = [
    [`read ${id} --comments`, [json(200, article), page(comment)]],
    [`read ${id} --raw`, [json(200, article)]],
    ['feed', [page(article)]],
    ['search x', [page(hit)]],
    ['events', [page(event)]],
    [
      `read ${id}`,
      [
        refuse('gone', {
          title: attack,
          detail: attack,
          errors: [{ pointer: attack, detail: attack }],
        }),
      ],
    ],
  ];
  for (const [line, turns] of cases) {
    await using service = await startScript(...turns);
    for (const more of [[], ['--json']]) {
      const args = [...line.split(' '), ...more, '--url', service.baseUrl];
      const { out, err } = await home.run(args, { columns: 80, env: { NO_COLOR: '1' } });
      assert.ok((out + err).length > 20, line);
      assert.doesNotMatch(out + err, harmful, line);
    }
  }
});

test('a service that is not what it seems cannot act on a terminal, not even as an id', async () => {
  const hostile = '\u001b]0;title\u0007\u001b[2J';
  const record = {
    id: hostile,
    principal_id: hostile,
    username: hostile,
    principal: { id: hostile, kind: hostile, username: hostile },
    scopes: [hostile],
  };
  await using service = await startScript(json(200, record));
  const words = ['--url', service.baseUrl];
  for (const command of [['whoami'], ['comment', id, 'a'], ['edge', id, 'cites', id]])
    for (const options of [{}, { columns: 80 }]) {
      const { out, err } = await home.run([...command, ...words], options);
      assert.doesNotMatch((out + err).replaceAll(/\u001b\[\d+m/g, ''), harmful);
      assert.match(out + err, /<U\+001B>/, command.join(' '));
    }
  assert.equal(
    printableLines(['\u001b[31mred\u001b[39m', hostile.slice(-4)]),
    '\u001b[31mred\u001b[39m\n<U+001B>[2J',
  );
});

test('of escape sequences, an answer has only those of styles: none that hides text or makes it blink', () => {
  for (const code of ['8', '5', '7', '30', '0', '', '31;8', '01', '38;5;0'])
    assert.equal(printableLines([`\u001b[${code}mid`]), `<U+001B>[${code}mid`);
  const style = styleWith(true);
  for (const format of ['bold', 'dim', 'green', 'underline'] as const)
    assert.equal(printableLines([style(format, 'id')]), style(format, 'id'));
  const nested = style('bold', `a ${style('dim', 'b')} c`);
  assert.equal(printableLines([nested]), nested);
});
