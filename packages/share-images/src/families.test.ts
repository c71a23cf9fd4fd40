// Tests that the font families in use are those of the installed packages.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { familiesFor } from './families.ts';

const manifest = new URL('../package.json', import.meta.url);

test('every installed family is asked, and no other', async () => {
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const scope = '@fontsource-variable/';
  const installed = Object.keys(dependencies).filter((name) => name.startsWith(scope));
  const asked = familiesFor('', 'en').map(({ pack }) => scope + pack);
  assert.deepEqual(asked.toSorted(), installed.toSorted());
});

const firsts: readonly [text: string, language: string, pack: string][] = [
  ['漢字', 'zh', 'sc'],
  ['漢字', 'zh-Hans-TW', 'sc'],
  ['漢字', 'zh-TW', 'tc'],
  ['漢字', 'zh-Hant', 'tc'],
  ['漢字', 'zh-Hant-HK', 'tc'],
  ['漢字', 'yue', 'tc'],
  ['漢字', 'ja-JP', 'jp'],
  ['漢字', 'ko', 'kr'],
  ['漢字', 'und', 'sc'],
  ['漢字の', 'und', 'jp'],
  ['漢字의', 'en', 'kr'],
];
for (const [text, language, pack] of firsts) {
  test(`${text} in ${language} is drawn with ${pack} first`, () => {
    const han = familiesFor(text, language).filter((family) => /-(sc|tc|jp|kr)$/.test(family.pack));
    assert.equal(han[0]?.pack, `noto-sans-${pack}`);
    assert.equal(han.length, 4);
  });
}
