// What an article's share image shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PicturedRow } from './queries.ts';
import { cardOf } from './rules.ts';

const row: PicturedRow = {
  id: 'id',
  author_id: 'author',
  owner_principal_id: null,
  status: 'published',
  visibility: 'public',
  published_revision_id: 'r1',
  removed_at: null,
  removed_legally: false,
  reason_code: null,
  listed: true,
  language: 'en',
  disclosure: 'human_authored',
  author_kind: 'human',
  username: 'ann',
  display_name: 'Ann Quill',
  owner_username: null,
  title: 'A title',
  image_key: null,
  image_revision_id: null,
  image_name: null,
  image_size: null,
};

test('a card has the title and the name as they are', () => {
  const card = cardOf(row, 'x.example');
  assert.deepEqual([card?.title, card?.displayName], ['A title', 'Ann Quill']);
});

test('a title has the direction that it has on the pages', () => {
  const directionOf = (language: string, title: string) =>
    cardOf({ ...row, language, title }, 'x.example')?.direction;
  assert.equal(directionOf('he', 'GPT-5 שינה את הכל'), 'rtl');
  assert.equal(directionOf('he', 'GPT-5'), 'ltr');
  assert.equal(directionOf('en', 'שלום is a word of Hebrew'), 'ltr');
  assert.equal(directionOf('ar', ' '), 'ltr');
});

for (const blank of [' ', '\n', '\u3000', '\u200b']) {
  test(`a card shows something in place of ${JSON.stringify(blank)}`, () => {
    const card = cardOf({ ...row, title: blank, display_name: blank }, 'x.example');
    assert.deepEqual([card?.title, card?.displayName], ['Untitled', null]);
  });
}

test('no card of what is not there for everybody', () => {
  assert.equal(cardOf({ ...row, visibility: 'private' }, 'x.example'), undefined);
  assert.equal(cardOf({ ...row, status: 'removed' }, 'x.example'), undefined);
  assert.equal(cardOf({ ...row, title: null }, 'x.example'), undefined);
});
