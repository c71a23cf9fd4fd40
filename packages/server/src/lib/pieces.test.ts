// Tests of long texts in pieces: the pieces make up the whole, and the event loop runs between them.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';
import { canonicalHash, canonicalJson } from './canonical-json.ts';
import {
  encodePieces,
  isLong,
  jsonPieces,
  longFrom,
  nextTurn,
  sha256Of,
  yieldAfterPieces,
} from './pieces.ts';
import { piecesOf } from '@colophon/text/lib/text-pieces';
import { storedJson } from './stored-json.ts';

const long = 300_000;

function fill(unit: string, length = long): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

const texts = ['a', '\u0001', '"\\', '漢', '😀', 'a😀', '\u2028</script>&'].map((unit) =>
  fill(unit).toWellFormed(),
);

/** Counts the turns of the event loop until a promise settles. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work;
  over = true;
  return turns;
}

test('the pieces of a text are the text, and none has half a character', () => {
  for (const text of texts) {
    const pieces = [...piecesOf(text)];
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.every((piece) => piece.isWellFormed() && piece.length <= 32_768));
  }
});

test('the pieces of a JSON text are the JSON text', () => {
  for (const text of texts) {
    const value = { title: text.slice(0, 300), content: text, hunks: [{ lines: [{ text }] }] };
    for (const serialize of [JSON.stringify, canonicalJson])
      assert.equal([...jsonPieces(serialize, value)].join(''), serialize(value));
  }
});

test('stored JSON is answered as it is stored, and counts as text', () => {
  const metadata = { a: ['{}', { b: 1 }], k: '"x":0}', topics: ['rivers'] };
  const stored = storedJson(canonicalJson(metadata));
  const article = (one: unknown) => ({ article: { title: 'é'.repeat(300), metadata: one }, n: 1 });
  for (const serialize of [JSON.stringify, canonicalJson]) {
    const plain = serialize({ items: [article(metadata), article({})] });
    const value = { items: [article(stored), article(storedJson('{}'))] };
    assert.equal([...jsonPieces(serialize, value)].join(''), plain);
    assert.equal(serialize(value), plain);
  }
  const long = storedJson(JSON.stringify({ a: 'x'.repeat(longFrom) }));
  assert.ok(isLong({ items: [article(long)] }) && isLong({ drafts: [{ metadata: long }] }));
  assert.ok(!isLong({ items: [article(stored)] }));
});

test('the pieces of any JSON text are the JSON text', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: anyCodePoint, maxLength: 600 }),
      (value, text) => {
        const whole = { value, text, metadata: { value }, texts: [text, { text }] };
        assert.equal([...jsonPieces(JSON.stringify, whole)].join(''), JSON.stringify(whole));
      },
    ),
  );
});

test('a text is encoded and hashed as it is in one go', async () => {
  for (const text of texts) {
    const { bytes, sha1 } = await encodePieces(
      piecesOf(text),
      fc.sample(fc.nat(text.length + 1), 1)[0] ?? 0,
    );
    assert.equal(bytes.toString(), text);
    assert.equal(sha1, hash('sha1', text, 'base64url'));
    assert.deepEqual(await sha256Of(piecesOf(text)), hash('sha256', text, 'buffer'));
    const value = { content: text, metadata: { b: 1, a: 2 } };
    const whole = hash('sha256', `before\n${canonicalJson(value)}`, 'buffer');
    assert.deepEqual(await canonicalHash('before\n', value), whole);
  }
});

test('the event loop turns between the pieces, once for each of all that wait', async () => {
  const text = fill('\u0001', 1_000_000);
  const value = { content: text };
  const json = [...jsonPieces(JSON.stringify, value)].join('').length;
  const pieces = Math.floor(json / (6 * 32_768));
  assert.ok((await turnsOf(encodePieces(jsonPieces(JSON.stringify, value), 0))) >= pieces);
  assert.ok((await turnsOf(canonicalHash('', value))) >= pieces);
  assert.ok((await turnsOf(Promise.all([nextTurn(), nextTurn(), nextTurn()]))) >= 3);
});

test('short texts have a turn after each 32 Ki units of them', async () => {
  const work = async () => {
    const yieldIfDue = yieldAfterPieces();
    for (let n = 0; n < 100; n += 1) await yieldIfDue(8_192);
  };
  assert.ok((await turnsOf(work())) >= 25);
});

test('a value is long by the texts in it, not by its metadata', () => {
  const half = fill('a', longFrom / 2 + 1);
  assert.equal(isLong({ content: half }), false);
  assert.equal(isLong({ content: half, hunks: [{ lines: [{ text: half }] }] }), true);
  assert.equal(isLong({ items: [{ metadata: { half, again: [half, half] } }] }), false);
  assert.equal(isLong(null), false);
});
