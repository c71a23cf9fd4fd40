// Tests of page parts that are computed: marked matches and the order of a conversation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, textOf } from '../html.ts';
import type { Comment } from '../page-services.ts';
import { inConversationOrder } from './comments.ts';
import { markMatches } from './search.ts';

test('matches are marked by code points, and escaped', () => {
  const show = (text: string, matches: [number, number][]) =>
    textOf(html`${markMatches({ text, matches, trust: 'untrusted' })}`);
  assert.equal(show('a <b> c', [[2, 5]]), 'a <mark>&#60;b&#62;</mark> c');
  assert.equal(
    show('😀😀 x', [
      [1, 2],
      [3, 4],
    ]),
    '😀<mark>😀</mark> <mark>x</mark>',
  );
  assert.equal(show('none', []), 'none');
  assert.equal(
    show('王小明说', [
      [0, 3],
      [0, 3],
      [2, 4],
    ]),
    '<mark>王小明</mark><mark>说</mark>',
  );
});

function aComment(id: string, parent: string | null): Comment {
  return {
    id,
    article_id: 'a',
    parent_comment_id: parent,
    root_comment_id: null,
    depth: 0,
    stance: null,
    content: id,
    content_type: 'text/markdown',
    status: 'visible',
    author: { id: 'x', kind: 'human', username: 'x', display_name: null },
    created_at: '2026-01-01T00:00:00.000Z',
    trust: 'untrusted',
  };
}

test('each comment is followed by its answers; what answers another page stands for itself', () => {
  const order = (pairs: readonly (readonly [string, string | null])[]) =>
    inConversationOrder(pairs.map(([id, parent]) => aComment(id, parent)))
      .map(({ comment, level }) => `${comment.id}${level}`)
      .join(' ');
  assert.equal(
    order([
      ['a', null],
      ['b', null],
      ['c', 'a'],
      ['d', 'b'],
      ['e', 'c'],
      ['f', 'a'],
    ]),
    'a0 c1 e2 f1 b0 d1',
  );
  assert.equal(
    order([
      ['c', 'gone'],
      ['d', 'c'],
      ['e', 'gone'],
    ]),
    'c0 d1 e0',
  );
  assert.equal(order([]), '');
  const deep = Array.from(
    { length: 10_000 },
    (_, n) => [`${n}`, n === 0 ? null : `${n - 1}`] as const,
  );
  assert.equal(
    inConversationOrder(deep.map(([id, parent]) => aComment(id, parent))).at(-1)?.level,
    9_999,
  );
});
