// The records of a ZIP archive (APPNOTE.TXT 6.3.10), with ZIP64 where a number needs it.

/** A file in an archive. */
export interface Entry {
  readonly path: string;
  /** 0: stored as it is, 8: deflated. */
  readonly method: 0 | 8;
  /** Size and CRC follow the bytes, because they are unknown before: such an entry always uses ZIP64. */
  readonly streamed: boolean;
  readonly crc: number;
  readonly size: number;
  /** Bytes in the archive. */
  readonly packedSize: number;
  /** Offset of its local header. */
  readonly start: number;
  readonly at: Date;
}

const max32 = 0xff_ff_ff_ff;
const max16 = 0xff_ff;
/** 4.5 is the first version with ZIP64. */
const version = 45;
const unix = 3;
/** A regular file that its owner can write and everyone can read. */
const mode = 0o100644;
/** Names are UTF-8. */
const utf8Flag = 0x0800;
const streamedFlag = 0x0008;

/** Writes little-endian numbers: pairs of a width in bytes and a value. */
function numbers(...pairs: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  const bytes = Buffer.alloc(pairs.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of pairs) {
    if (width === 2) bytes.writeUInt16LE(value, at);
    else if (width === 4) bytes.writeUInt32LE(value, at);
    else bytes.writeBigUInt64LE(BigInt(value), at);
    at += width;
  }
  return bytes;
}

/** Date and time of MS-DOS, in UTC: two seconds are the unit, and 1980 is the first year. */
function dosTime(at: Date): readonly [time: number, date: number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const year = Math.max(at.getUTCFullYear() - 1980, 0);
  return [time, (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()];
}

const flagsOf = ({ streamed }: Entry) => utf8Flag | (streamed ? streamedFlag : 0);

/** The extra field with the numbers that do not fit, in their fixed order; empty without any. */
function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  return numbers(
    [2, 0x0001],
    [2, values.length * 8],
    ...values.map((value) => [8, value] as const),
  );
}

/** Returns what precedes the bytes of a file (section 4.3.7). */
export function localHeader(entry: Entry): Buffer {
  const name = Buffer.from(entry.path);
  const extra = zip64Extra(entry.streamed ? [0, 0] : []);
  const [time, date] = dosTime(entry.at);
  const size = (value: number) => (entry.streamed ? max32 : value);
  return Buffer.concat([
    numbers(
      [4, 0x04034b50],
      [2, version],
      [2, flagsOf(entry)],
      [2, entry.method],
      [2, time],
      [2, date],
      [4, entry.streamed ? 0 : entry.crc],
      [4, size(entry.packedSize)],
      [4, size(entry.size)],
      [2, name.length],
      [2, extra.length],
    ),
    name,
    extra,
  ]);
}

/** Returns what follows the bytes of a streamed file (section 4.3.9). */
export function dataDescriptor({ crc, packedSize, size }: Entry): Buffer {
  return numbers([4, 0x08074b50], [4, crc], [8, packedSize], [8, size]);
}

/** Returns the record of a file in the central directory (section 4.3.12). */
export function directoryRecord(entry: Entry): Buffer {
  const name = Buffer.from(entry.path);
  const { size, packedSize, start, streamed } = entry;
  const isLarge = (value: number) => value >= max32;
  const wide = streamed || isLarge(size) || isLarge(packedSize);
  const extra = zip64Extra([
    ...(wide ? [size, packedSize] : []),
    ...(isLarge(start) ? [start] : []),
  ]);
  const [time, date] = dosTime(entry.at);
  return Buffer.concat([
    numbers(
      [4, 0x02014b50],
      [2, (unix << 8) | version],
      [2, version],
      [2, flagsOf(entry)],
      [2, entry.method],
      [2, time],
      [2, date],
      [4, entry.crc],
      [4, wide ? max32 : packedSize],
      [4, wide ? max32 : size],
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, (mode << 16) >>> 0],
      [4, isLarge(start) ? max32 : start],
    ),
    name,
    extra,
  ]);
}

export interface Directory {
  readonly entries: number;
  readonly start: number;
  readonly size: number;
}

/** Returns the end of an archive (sections 4.3.14 to 4.3.16). */
export function archiveEnd({ entries, start, size }: Directory): Buffer {
  const wide = entries >= max16 || start >= max32 || size >= max32;
  const short = (value: number) => (wide ? max16 : value);
  const long = (value: number) => (wide ? max32 : value);
  const zip64 = numbers(
    [4, 0x06064b50],
    [8, 44],
    [2, (unix << 8) | version],
    [2, version],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, size],
    [8, start],
    [4, 0x07064b50],
    [4, 0],
    [8, start + size],
    [4, 1],
  );
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, short(entries)],
    [2, short(entries)],
    [4, long(size)],
    [4, long(start)],
    [2, 0],
  );
  return wide ? Buffer.concat([zip64, end]) : end;
}
