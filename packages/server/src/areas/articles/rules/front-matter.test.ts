// Front matter: YAML readers return every title as it was, and the text is unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';
import { parse } from 'yaml';
import { withFrontMatter } from './front-matter.ts';

function splitFrontMatter(document: string): { readonly yaml: string; readonly text: string } {
  const end = document.indexOf('\n---\n\n');
  assert.ok(document.startsWith('---\n') && end > 0);
  return { yaml: document.slice(4, end + 1), text: document.slice(end + 6) };
}

const texts = [
  '---',
  'a\n---\n\nowner: true',
  'yes',
  '2026-11-21',
  '~',
  'a: b # c',
  '"\\"\'',
  '<script>',
  '\u0085\u2028\u2029\ufeff\u202e',
  'a\ufffe\uffff\ufdd0\u{1fffe}b',
  'a\u{e0041}\u{e007f}\u034f\u180e\u2800\u3164b',
  '&anchor *alias !!js/function x',
  '',
];

test('what is known comes back as it was, in either version of YAML, and ends where it should', async () => {
  for (const title of texts) {
    const facts = { title, nothing: null, truth: true, list: [title, title], in: { title } };
    const { yaml, text } = splitFrontMatter(await withFrontMatter(facts, title));
    assert.equal(text, title);
    assert.deepEqual(parse(yaml), facts);
    assert.deepEqual(parse(yaml, { version: '1.1' }), facts);
  }
});

test('so does any text', async () => {
  const any = [fc.string({ unit: anyCodePoint }), fc.string()] as const;
  await fc.assert(
    fc.asyncProperty(...any, async (title, content) => {
      const { yaml, text } = splitFrontMatter(await withFrontMatter({ title }, content));
      assert.equal(text, content);
      assert.deepEqual(parse(yaml), { title });
      assert.doesNotMatch(yaml, /[\u0085\u2028\u2029\ufeff]/);
    }),
  );
});

test('nothing hides, and no reader of YAML meets what it refuses', async () => {
  const hiding = '\u{e0000}\u{e0041}\u{e007f}\u034f\u180e\u2800\u3164\u00ad\u200b\u202e\ufeff';
  const { yaml } = splitFrontMatter(await withFrontMatter({ title: `${hiding}\ufffe\uffff` }, ''));
  assert.match(yaml, /^title: "[\x20-\x7e]+"\n$/);
  assert.ok(yaml.includes(String.raw`\U000e0041`) && yaml.includes(String.raw`\uffff`), yaml);
});
