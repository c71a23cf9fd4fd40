// Programs that work on strangers' bytes: what they are when the service is root, and that they still work.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openImageWork } from '#images';
import sharp from 'sharp';
import { confinementOf } from './confinement.ts';

const program = new URL('images/make-variants.ts', import.meta.url).pathname;
const options = { dataDir: '/srv/colophon', bytesMax: 3 * 1024 ** 3 };
const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;

test('as root a program is a user of its own without rights, with bounded memory; else it is the service’s user', async () => {
  const { words, uid } = await confinementOf('images', program, options);
  const other = await confinementOf('images', program, { ...options, dataDir: '/srv/other' });
  if (!isRoot) {
    assert.deepEqual([words, uid], [[], undefined]);
    return;
  }
  assert.ok(uid !== undefined && uid !== other.uid);
  const script =
    "console.log(require('fs').readFileSync('/proc/self/status', 'utf8') + require('fs').readFileSync('/proc/self/limits', 'utf8'))";
  const [file = '', ...rest] = words;
  const { stdout } = spawnSync(file, [...rest, process.execPath, '-e', script], {
    encoding: 'utf8',
  });
  assert.match(stdout, new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}\\s+${uid}$`, 'm'));
  assert.match(stdout, /^Groups:\s*$/m);
  for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
    assert.match(stdout, new RegExp(`^Cap${set}:\\s+0+$`, 'm'));
  assert.match(stdout, /^NoNewPrivs:\s+1$/m);
  assert.match(stdout, new RegExp(`^Max address space\\s+${options.bytesMax}\\s`, 'm'));
});

test('images are decoded in confinement', async () => {
  await using images = openImageWork(
    async (file) => (await confinementOf('images', file, options)).words,
  );
  const original = await sharp({
    create: { width: 4000, height: 3000, channels: 3, background: 'teal' },
  })
    .png()
    .toBuffer();
  const frames = await images.makeVariants(Readable.from([original]), [320, 1280]);
  assert.deepEqual(
    frames?.map(({ width }) => width),
    [320, 1280],
  );
});
