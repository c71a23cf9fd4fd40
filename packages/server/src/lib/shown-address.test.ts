// Which percent-encoded characters of an address are shown as themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';
import { shownAddress } from './shown-address.ts';

const at = (path: string) => `https://x.example/${path}`;

test('words in other scripts are shown as they are written', () => {
  for (const text of [
    'שלום-עולם-01KXYZ',
    'مرحبا_بالعالم?q=كتاب#قسم',
    'ウィキペディア/東京ノート・ソース',
    'größe/naïve/Ελλάδα/Русский',
    'हिन्दी/ไทย/ᄒᆞᆫ글/𞤀𞤣𞤤𞤢𞤥',
    'מנכ״ל/תל־אביב',
    '٣٤/Ⅷ/שָׁלוֹם',
  ])
    assert.equal(shownAddress(at(encodeURI(text))), at(text));
  assert.equal(shownAddress('urn:x:%d7%a9%D7%9C'), 'urn:x:של');
});

test('what could mislead stays encoded', () => {
  const hidden = [
    ['\0', '\n', '\u0085', ' ', '\u00a0', '\u2003', '\u3000', '\u2028', '\u202e', '\u2066'],
    ['\u200b', '\u200d', '\u2060', '\u00ad', '\ufeff', '\u3164', '\u115f', '\u2800', '\ufe0f'],
    ['\u2044', '\u2215', '\uff0f', '\u29f8', '\uff1a', '\ufe55', '\uff1f', '\uff03', '\u3002'],
    ['\u01c3', '\u0660', '\u2cc6', '\u4e3f', '\u30ce', '\u0338', '\u0589', '\ue000', '\u{e0041}'],
    ['/', '?', '#', '%', '@', '<', '"', '&', '🙂', '“', '\uffff', '\u{10ffff}'],
  ].flat();
  for (const character of hidden)
    for (const text of [character, `a${character}b`]) {
      const address = at(encodeURIComponent(text));
      assert.equal(shownAddress(address), address, encodeURIComponent(character));
    }
  // A hidden character among letters stays as it is written, and the letters are shown.
  assert.equal(shownAddress(at(encodeURIComponent('א\u202eב ג'))), at('א%E2%80%AEב%20ג'));
  for (const wrong of [
    '%',
    '%d7',
    '%D7%',
    '%D7A',
    '%C0%AF',
    '%ED%A0%80',
    '%F4%90%80%80',
    '%E0%80%AF',
  ])
    assert.equal(shownAddress(at(wrong)), at(wrong));
});

test('a shown address encodes to the address that it was', () => {
  const path = fc.array(
    fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 8 }).map(encodeURIComponent),
      fc.constantFrom('%', '%d7', '%E2%80'),
    ),
  );
  fc.assert(
    fc.property(path, (parts) => {
      const address = at(parts.join('/'));
      const back = shownAddress(address).replaceAll(/[^\0-\x7f]+/g, encodeURIComponent);
      assert.equal(back, address);
    }),
  );
});
