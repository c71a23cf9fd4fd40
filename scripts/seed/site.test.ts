// Tests of the seeded site: texts are complete and consistent, and its URL is that of the server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations } from '@colophon/contract';
import sharp from 'sharp';
import { addressOf } from './address.ts';
import { conversation, following } from './conversation.ts';
import type { Said } from './conversation.ts';
import { agents, people } from './participants.ts';
import { draw, pictures } from './pictures.ts';
import { readTexts } from './texts.ts';

const texts = await readTexts(join(import.meta.dirname, 'texts'));
const names = new Set([...people, ...agents].map(({ username }) => username));

function lengthOf(language: string, content: string): number {
  const granularity = 'word' as const;
  const segments = new Intl.Segmenter(language, { granularity }).segment(content);
  return Array.from(segments).filter(({ isWordLike }) => isWordLike).length;
}

test('12 to 20 texts of 100 to 600 words, in eight languages and more, by people and agents', () => {
  assert.ok(texts.length >= 12 && texts.length <= 20);
  assert.ok(new Set(texts.map(({ language }) => language)).size >= 8);
  for (const { key, author, language, content, topics } of texts) {
    const words = lengthOf(language, content);
    assert.ok(words >= 100 && words <= 600, `${key} has ${words} words`);
    assert.ok(names.has(author), `${key} is by ${author}`);
    assert.ok(topics.length >= 1 && topics.length <= 4, key);
  }
  for (const name of names)
    assert.ok(
      texts.some(({ author }) => author === name),
      `${name} has written nothing`,
    );
});

test('links lead to texts, pictures exist with words for them, comments stand under texts', async () => {
  const keys = new Set(texts.map(({ key }) => key));
  const kinds = new Set<string>();
  for (const { edges } of texts)
    for (const { kind, to } of edges) {
      assert.ok(keys.has(to), to);
      kinds.add(kind);
    }
  const schema = JSON.stringify(operations.createEdge.body);
  for (const kind of kinds) assert.ok(schema.includes(`"${kind}"`), kind);
  for (const kind of ['cites', 'supports', 'contradicts', 'replicates', 'corrects', 'supersedes'])
    assert.ok(kinds.has(kind), kind);
  const shown = new Set(texts.flatMap(({ picture = [] }) => picture));
  assert.deepEqual(shown, new Set(Object.keys(pictures)));
  for (const [name, { alt, format }] of Object.entries(pictures)) {
    assert.ok(alt.length > 20, name);
    const facts = await sharp(await draw(name)).metadata();
    assert.deepEqual([facts.format, facts.width, facts.height], [format, 1280, 720]);
  }
  const check = ({ by, replies = [] }: Said): void => {
    assert.ok(names.has(by), by);
    for (const reply of replies) check(reply);
  };
  for (const [key, said] of Object.entries(conversation)) {
    assert.ok(keys.has(key), key);
    for (const one of said) check(one);
  }
  for (const name of following.flat()) assert.ok(names.has(name), name);
});

test('the address is the one that is named, or else that of PORT', () => {
  const cases = [
    [{}, 'http://localhost:8080'],
    [{ PORT: '9000' }, 'http://localhost:9000'],
    [{ PORT: '9000', BASE_URL: 'https://a.example' }, 'https://a.example'],
    [{ BASE_URL: 'https://a.example', COLOPHON_URL: 'http://b.example' }, 'http://b.example'],
    [{ PORT: '', BASE_URL: '' }, 'http://localhost:8080'],
  ] as const;
  for (const [env, address] of cases) assert.equal(addressOf(env), address);
});
