// Variants of images that a process of the tests has made already: the same few pictures are uploaded everywhere.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ImageWork } from '#images';

type Frames = Awaited<ReturnType<ImageWork['makeVariants']>>;

const originalBytesMax = 256 * 1024;
const keptMost = 200;
const kept = new Map<string, Frames>();

/** Takes what comes until it is larger than what is kept; `isWhole`: it was not. */
async function beginningOf(parts: AsyncIterator<Buffer>) {
  const taken: Buffer[] = [];
  let size = 0;
  while (size <= originalBytesMax) {
    const next = await parts.next();
    if (next.done === true) return { taken, isWhole: true };
    taken.push(next.value);
    size += next.value.length;
  }
  return { taken, isWhole: false };
}

async function* partsFrom(taken: readonly Buffer[], rest: AsyncIterator<Buffer>) {
  yield* taken;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/**
 * The image work of a server, which starts a process for each image. Of images with the same bytes, one is worked on in
 * each process of the tests. An image without variants is tried each time: a server that ended may have ended its
 * process.
 */
export function keepVariants(images: ImageWork): ImageWork {
  return {
    makeVariants: async (original, widths) => {
      const parts = (original as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      const { taken, isWhole } = await beginningOf(parts);
      if (!isWhole)
        return images
          .makeVariants(Readable.from(partsFrom(taken, parts)), widths)
          .finally(() => original.destroy());
      const hash = createHash('sha256').update(Buffer.concat(taken)).digest('hex');
      const name = `${hash} ${widths.join()}`;
      const known = kept.get(name);
      if (known !== undefined) return known;
      const made = await images.makeVariants(Readable.from(taken), widths);
      if (made !== undefined && kept.size < keptMost) kept.set(name, made);
      return made;
    },
    [Symbol.asyncDispose]: () => images[Symbol.asyncDispose](),
  };
}
