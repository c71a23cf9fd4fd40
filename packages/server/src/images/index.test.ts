// Tests of image variants: images that decode, images that do not, and decompression bombs.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { pngOf } from '#test/media-files';
import { openImageWork } from './index.ts';

const images = openImageWork();
after(() => images[Symbol.asyncDispose]());

const variantsOf = (bytes: Buffer, widths = [320, 640]) =>
  images.makeVariants(Readable.from([bytes]), widths);

test('every type of image that is taken decodes to WebP', async () => {
  const picture = sharp({ create: { width: 700, height: 500, channels: 3, background: '#789' } });
  for (const bytes of [
    await picture.clone().png().toBuffer(),
    await picture.clone().jpeg().toBuffer(),
    await picture.clone().gif().toBuffer(),
    await picture.clone().webp().toBuffer(),
    await picture.clone().avif({ effort: 0 }).toBuffer(),
  ]) {
    const frames = (await variantsOf(bytes)) ?? [];
    assert.deepEqual(
      frames.map(({ width }) => width),
      [320, 640],
    );
    for (const frame of frames) {
      const { format, width } = await sharp(frame.bytes).metadata();
      assert.deepEqual({ format, width }, { format: 'webp', width: frame.width });
    }
  }
});

test('undefined for what does not decode, and for every other format that the decoder knows', async () => {
  const whole = pngOf(300, 300);
  const tiff = await sharp(whole).tiff().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const bytes of [Buffer.alloc(0), Buffer.from('x'), whole.subarray(0, 60), tiff, svg])
    assert.equal(await variantsOf(bytes), undefined);
});

test('a bomb inside the limit of pixels ends, one beyond it is refused', async () => {
  const [width, height] = [9_000, 9_000];
  const frames = await variantsOf(pngOf(width, height), [320]);
  assert.equal(frames?.length, 1);
  assert.equal(await variantsOf(pngOf(10_001, 10_000), [320]), undefined);
});

test('bytes that break off on our side do not count as an image that cannot be decoded', async () => {
  const broken = Readable.from(
    (async function* breaking() {
      yield pngOf(9, 9).subarray(0, 20);
      throw new Error('the store is away');
    })(),
  );
  await assert.rejects(images.makeVariants(broken, [320]), /the store is away/);
});

test('what still runs at the end is ended', async () => {
  const own = openImageWork();
  const never = own.makeVariants(new Readable({ read: () => undefined }), [320]);
  await own[Symbol.asyncDispose]();
  await assert.rejects(never, /The image work has ended/);
});

test('an image that takes too much work cannot be decoded, one that comes too slowly is tried again', async () => {
  // Neither image ends, so that no machine is fast enough to decode it before its limit is looked at. The start of
  // the process is more than a millisecond of work.
  const stalled = () => new Readable({ read: () => undefined });
  const working = openImageWork(undefined, { workMs: 1, longestMs: 600_000 });
  assert.equal(await working.makeVariants(stalled(), [320]), undefined);
  const waiting = openImageWork(undefined, { workMs: 600_000, longestMs: 500 });
  await assert.rejects(waiting.makeVariants(stalled(), [320]), /was not decoded in time/);
});

test('the program is found in a folder whose name an address escapes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a place with % '));
  try {
    await cp(import.meta.dirname, join(folder, 'images'), { recursive: true });
    const runtime = pathToFileURL(join(import.meta.dirname, '../runtime/index.ts')).href;
    await writeFile(join(folder, 'runtime.ts'), `export * from ${JSON.stringify(runtime)};`);
    const manifest = { type: 'module', imports: { '#runtime': './runtime.ts' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const packages = join(import.meta.dirname, '../../../../node_modules');
    await symlink(packages, join(folder, 'node_modules'));
    const copy = (await import(pathToFileURL(join(folder, 'images/index.ts')).href)) as {
      readonly openImageWork: typeof openImageWork;
    };
    await using work = copy.openImageWork();
    const frames = await work.makeVariants(Readable.from([pngOf(300, 300)]), [100]);
    assert.deepEqual(
      frames?.map(({ width }) => width),
      [100],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
