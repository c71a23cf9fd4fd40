// Tests of rendered text: errors that mean a text is too large or invisible, and all other errors.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { familiesFor } from './families.ts';
import { openFonts } from './fonts.ts';
import { addFont, setLine, setText, shrunk } from './typeset.ts';
import type { Picture, Style } from './typeset.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'colophon-typeset-'));
after(() => rm(folder, { recursive: true, force: true }));

const families = familiesFor('', 'en');
const style: Style = { families, size: 40, weight: 'Bold', colour: '#000000' };
before(() => openFonts(folder, addFont).prepare('W', families));

test('undefined for what is larger than any picture', async () => {
  const wide = 'W'.repeat(5_000);
  assert.equal(await setLine(wide, style), undefined);
  assert.equal(await setText(wide, { ...style, width: 1_000 }), undefined);
  assert.equal(await setText('W\n'.repeat(2_000), { ...style, width: 1_000 }), undefined);
});

test('a picture of one pixel for what leaves no ink', async () => {
  assert.equal((await setText('\u200B', style))?.width, 1);
});

test('another error of the library is an error', async () => {
  const broken = { ...style, colour: 'of no name' };
  await assert.rejects(setText('W', broken), /markup/);
  await assert.rejects(setLine('W', broken), /markup/);
});

test('a picture is made smaller where it is larger than its place, in its proportions, and else stays', async () => {
  const picture: Picture = { pixels: Buffer.alloc(200 * 50 * 4, 255), width: 200, height: 50 };
  assert.equal(await shrunk(picture, { width: 200, height: 50 }), picture);
  const { pixels, width, height } = await shrunk(picture, { width: 100, height: 50 });
  assert.deepEqual([width, height, pixels.length], [100, 50, 100 * 50 * 4]);
  const inked = Array.from({ length: 50 }, (_, row) => pixels[(row * 100 + 50) * 4 + 3]);
  assert.equal(inked.filter((alpha) => alpha === 255).length, 25);
});
