// The code points that a font supports: reads its `cmap` table (OpenType 1.9.1).

const unicodePlatform = 0;
const windowsPlatform = 3;

/** Offset and length of a table of an sfnt file; undefined when it has no such table. */
function findTable(font: DataView, tag: string): number | undefined {
  const count = font.getUint16(4);
  for (let at = 12; at < 12 + count * 16; at += 16) {
    const name = String.fromCharCode(
      font.getUint8(at),
      font.getUint8(at + 1),
      font.getUint8(at + 2),
      font.getUint8(at + 3),
    );
    if (name === tag) return font.getUint32(at + 8);
  }
  return undefined;
}

/** Format 4: segments of 16-bit characters, whose glyph ids may be in an array after the segments. */
function addSegments(font: DataView, at: number, found: Set<number>): void {
  const bytes = font.getUint16(at + 6);
  const ends = at + 14;
  const starts = ends + bytes + 2;
  const deltas = starts + bytes;
  const offsets = deltas + bytes;
  for (let segment = 0; segment < bytes; segment += 2) {
    const start = font.getUint16(starts + segment);
    const end = font.getUint16(ends + segment);
    const offset = font.getUint16(offsets + segment);
    const delta = font.getUint16(deltas + segment);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const stored =
        offset === 0 ? code : font.getUint16(offsets + segment + offset + (code - start) * 2);
      if (stored !== 0 && ((stored + delta) & 0xffff) !== 0) found.add(code);
    }
  }
}

/** Format 12: groups of characters with consecutive glyph ids. */
function addGroups(font: DataView, at: number, found: Set<number>): void {
  const count = font.getUint32(at + 12);
  for (let group = at + 16; group < at + 16 + count * 12; group += 12) {
    const start = font.getUint32(group);
    const end = font.getUint32(group + 4);
    const glyph = font.getUint32(group + 8);
    for (let code = start; code <= end; code += 1) if (glyph + code - start !== 0) found.add(code);
  }
}

/** Returns every code point that an sfnt font (TrueType or OpenType) supports. */
export function codePointsOf(bytes: Uint8Array): ReadonlySet<number> {
  const font = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Set<number>();
  const table = findTable(font, 'cmap');
  if (table === undefined) return found;
  const count = font.getUint16(table + 2);
  for (let record = table + 4; record < table + 4 + count * 8; record += 8) {
    const platform = font.getUint16(record);
    if (platform !== unicodePlatform && platform !== windowsPlatform) continue;
    const at = table + font.getUint32(record + 4);
    const format = font.getUint16(at);
    if (format === 4) addSegments(font, at, found);
    if (format === 12) addGroups(font, at, found);
  }
  return found;
}
