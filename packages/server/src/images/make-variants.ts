// The program that decodes: an image from standard input, its variants to standard output. It may be killed.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { framed, undecodable } from './frames.ts';

const pixelsMax = 100_000_000;
const memoryMax = 900 * 1024 * 1024;
const lookMs = 20;
const quality = 80;

// Decoders work in threads of their own, so this one is free to look.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMax) process.exit(undecodable);
}, lookMs).unref();

/** At once: an orderly exit would wait for the decoder. */
const leave = () => void process.kill(process.pid, 'SIGKILL');

// Whoever started this program is gone; perhaps since before it could listen. To listen is no work of its own.
process.once('disconnect', leave);
process.channel?.unref();
if (!process.connected) leave();

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

const original = await buffer(process.stdin);
const widths = process.argv.slice(2).map(Number);
try {
  for (const width of widths) {
    // What is no picture, the place where it was taken too, is left out unless it is asked for.
    const bytes = await sharp(original, {
      limitInputPixels: pixelsMax,
      failOn: 'error',
      sequentialRead: true,
    })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds: 25 })
      .toBuffer();
    process.stdout.write(framed({ width, bytes }));
  }
} catch {
  process.exitCode = undecodable;
}
