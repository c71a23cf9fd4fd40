// Writes small ZIP files for tests, correct ones and those that lie.
import { crc32, deflateRawSync } from 'node:zlib';

export interface Entry {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isDeflated?: boolean;
  /** What the directory says in place of the truth. */
  readonly lies?: {
    readonly size?: number;
    readonly compressedSize?: number;
    readonly flags?: number;
    readonly method?: number;
    readonly attributes?: number;
    /** The offset of the data of another entry. */
    readonly offset?: number;
  };
}

const utf8 = 0x0800;

function fieldsOf(entry: Entry) {
  const raw = Buffer.from(entry.content);
  const data = entry.isDeflated === true ? deflateRawSync(raw) : raw;
  const { lies = {} } = entry;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(lies.flags ?? utf8, 2);
  fields.writeUInt16LE(lies.method ?? (entry.isDeflated === true ? 8 : 0), 4);
  fields.writeUInt32LE(crc32(raw), 10);
  fields.writeUInt32LE(lies.compressedSize ?? data.length, 14);
  fields.writeUInt32LE(lies.size ?? raw.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 22);
  return { fields, data, name: Buffer.from(entry.name) };
}

function header(signature: number, ...rest: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(signature);
  return Buffer.concat([head, ...rest]);
}

function directoryEntry(entry: Entry, offset: number): Buffer {
  const { fields, name } = fieldsOf(entry);
  const more = Buffer.alloc(16);
  more.writeUInt32LE(entry.lies?.attributes ?? 0, 8);
  more.writeUInt32LE(entry.lies?.offset ?? offset, 12);
  const version = Buffer.from([20, 3]);
  // Two bytes of "made by", the shared fields, then comment length, disk, attributes and offset.
  return header(0x02014b50, version, fields, more.subarray(2), name);
}

/** Returns the bytes of an archive. */
export function zipOf(entries: readonly Entry[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const entry of entries) {
    const { fields, data, name } = fieldsOf(entry);
    const part = header(0x04034b50, fields, name, data);
    offsets.push(at);
    parts.push(part);
    at += part.length;
  }
  const directory = Buffer.concat(
    entries.map((entry, index) => directoryEntry(entry, offsets[index] ?? 0)),
  );
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, header(0x06054b50, end)]);
}
