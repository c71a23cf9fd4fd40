// Pages and feeds as they were sent to readers who are signed out, kept in memory as bytes.
import { encodePieces } from '#lib/pieces';
import { piecesOf } from '@colophon/text/lib/text-pieces';
import type { ThreadPrint } from './page-services.ts';
import type { Representation } from './respond.ts';

/** Everything that a page was made from. It is sent again only while all of it is the same. */
export interface MadeFrom {
  /** The records that it shows, as JSON. */
  readonly facts: string;
  /** Of the page of an article. */
  readonly thread?: ThreadPrint;
}

export interface KeptPage extends MadeFrom {
  readonly shown: Representation;
}

interface Entry extends KeptPage {
  readonly bytes: number;
}

/** A page of more bytes than this share of the memory is not kept. */
const largestShare = 8;

/** Opens a cache of the most recently used pages, of `bytesMax` bytes in all. */
export function openKeptPages(bytesMax: number) {
  const pages = new Map<string, Entry>();
  let size = 0;

  function remove(key: string): Entry | undefined {
    const entry = pages.get(key);
    if (entry === undefined) return undefined;
    pages.delete(key);
    size -= entry.bytes;
    return entry;
  }

  function add(key: string, entry: Entry): void {
    pages.set(key, entry);
    size += entry.bytes;
    while (size > bytesMax) remove(pages.keys().next().value ?? '');
  }

  return {
    get(key: string): KeptPage | undefined {
      const entry = remove(key);
      if (entry !== undefined) add(key, entry);
      return entry;
    },
    /** Encodes the page and keeps it. Returns the page to send. */
    async keep(key: string, from: MadeFrom, shown: Representation): Promise<Representation> {
      const { bytes, sha1 } = await encodePieces(piecesOf(shown.text), shown.text.length);
      // A copy of the right length: the encoder reserves more.
      const ready = { ...shown, text: '', encoded: { bytes: Buffer.from(bytes), sha1 } };
      const held = bytes.length + 2 * from.facts.length;
      remove(key);
      if (held <= bytesMax / largestShare) add(key, { ...from, shown: ready, bytes: held });
      return ready;
    },
  };
}

export type KeptPages = ReturnType<typeof openKeptPages>;
