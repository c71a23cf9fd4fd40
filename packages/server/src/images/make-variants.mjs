// The program that decodes images: reads one from stdin, writes its variants to stdout, as `frames.ts` reads
// them. Arguments: the exit code for an image that cannot be decoded, and the widths. It is JavaScript, because
// it runs once for each image, and removing types took a third of its time.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

const [undecodable, ...widths] = process.argv.slice(2).map(Number);
const pixelsMax = 100_000_000;
const memoryMax = 900 * 1024 * 1024;
const lookMs = 20;
const quality = 80;

// Decoders run in threads of their own, so this thread is free for the check.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMax) process.exit(undecodable);
}, lookMs).unref();

/** Exits immediately: an orderly exit would wait for the decoder. */
const leave = () => void process.kill(process.pid, 'SIGKILL');

// The parent process has ended, perhaps before this process could listen. Listening alone does not keep the
// process alive.
process.once('disconnect', leave);
process.channel?.unref();
if (!process.connected) leave();

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

/** Width and length in four bytes each, then the bytes. */
function frame(width, bytes) {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

const original = await buffer(process.stdin);
try {
  for (const width of widths) {
    // Metadata, including the location of the photograph, is left out unless it is requested.
    const bytes = await sharp(original, {
      limitInputPixels: pixelsMax,
      failOn: 'error',
      sequentialRead: true,
    })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality })
      .toBuffer();
    process.stdout.write(frame(width, bytes));
  }
} catch {
  process.exitCode = undecodable;
}
