// Loads fonts on demand: of hundreds of small files, only those that a text needs are unpacked.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { decompress } from 'wawoff2';
import { codePointsOf } from './cmap.ts';
import type { Family } from './families.ts';

const require = createRequire(import.meta.url);

/**
 * One file of a family. Its characters are known only after it is unpacked: the declared ranges promise more.
 */
interface Slice {
  readonly family: Family;
  readonly source: string;
  readonly ranges: readonly (readonly [number, number])[];
  letters?: ReadonlySet<number>;
}

function rangesIn(text: string): Slice['ranges'] {
  return text.split(',').map((range) => {
    const [from = '', to = from] = range.slice('U+'.length).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
}

function slicesOf(family: Family): Slice[] {
  const scope = `@fontsource-variable/${family.pack}`;
  const ranges = require(`${scope}/unicode.json`) as Readonly<Record<string, string>>;
  return Object.entries(ranges).map(([subset, text]) => ({
    family,
    source: require.resolve(
      `${scope}/files/${family.pack}-${subset.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
    ),
    ranges: rangesIn(text),
  }));
}

function promises(slice: Slice, letter: number): boolean {
  return slice.ranges.some(([from, to]) => letter >= from && letter <= to);
}

/** Whether a character only shapes its neighbours: joiners and variation selectors. */
function isShaping(letter: number): boolean {
  return letter === 0x200c || letter === 0x200d || (letter >= 0xfe00 && letter <= 0xfe0f);
}

export interface Fonts {
  /** Loads the fonts for a character; false when no font supports it. */
  prepare(sign: string, families: readonly Family[]): Promise<boolean>;
}

/**
 * Opens the fonts, which are unpacked into a folder. `add` is called for each new file. The library itself
 * selects the font of a character, so it must be given the families in the same order.
 */
export function openFonts(folder: string, add: (file: string) => Promise<void>): Fonts {
  const slices = new Map<string, readonly Slice[]>();
  const known = new Map<string, boolean>();

  function filesOf(family: Family): readonly Slice[] {
    const found = slices.get(family.pack) ?? slicesOf(family);
    slices.set(family.pack, found);
    return found;
  }

  async function lettersOf(slice: Slice): Promise<ReadonlySet<number>> {
    if (slice.letters !== undefined) return slice.letters;
    const bytes = await decompress(await readFile(slice.source));
    const file = path.join(folder, `${path.basename(slice.source, '.woff2')}.ttf`);
    await writeFile(file, bytes);
    await add(file);
    slice.letters = codePointsOf(bytes);
    return slice.letters;
  }

  /** Prefers one file for the whole character, because its parts are shaped together. */
  async function cover(letters: readonly number[], families: readonly Family[]): Promise<boolean> {
    for (const family of families) {
      for (const slice of filesOf(family)) {
        if (!letters.every((letter) => promises(slice, letter))) continue;
        const has = await lettersOf(slice);
        if (letters.every((letter) => has.has(letter))) return true;
      }
    }
    return false;
  }

  async function find(sign: string, families: readonly Family[]): Promise<boolean> {
    const letters = [...sign].map((letter) => letter.codePointAt(0) ?? 0);
    const shown = letters.filter((letter) => !isShaping(letter));
    if (shown.length === 0) return true;
    if (await cover(shown, families)) return true;
    if (shown.length === 1) return false;
    for (const letter of shown) if (!(await cover([letter], families))) return false;
    return true;
  }

  return {
    prepare: async (sign, families) => {
      const key = `${families.map(({ pack }) => pack).join()}:${sign}`;
      const found = known.get(key) ?? (await find(sign, families));
      known.set(key, found);
      return found;
    },
  };
}
