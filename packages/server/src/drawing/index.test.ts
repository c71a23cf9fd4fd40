// Tests of the process that draws: it is shared, it may crash, and it leaves nothing behind.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Card } from '@colophon/share-images';
import { openDrawing } from './index.ts';

// The folders of other tests, which run at the same time, are not looked at.
const parent = await mkdtemp(join(tmpdir(), 'ct-drawing-'));
process.env['TMPDIR'] = parent;

const drawing = openDrawing();
after(async () => {
  await drawing[Symbol.asyncDispose]();
  await rm(parent, { recursive: true });
});

const example: Card = {
  title: 'A title',
  language: 'en',
  kind: 'human',
  username: 'ann',
  displayName: 'Ann Example',
  ownerUsername: null,
  direction: 'ltr',
  disclosure: 'human_authored',
  host: 'example.org',
};

test('two who ask for one image get one drawing', async () => {
  const card = { ...example, title: 'Twice' };
  const [first, second] = await Promise.all([drawing.draw(card), drawing.draw(card)]);
  assert.ok(first);
  assert.equal(first, second);
});

test('undefined when too many are to be drawn first', async () => {
  const asked = Array.from({ length: 6 }, (_, place) =>
    drawing.draw({ ...example, title: `Number ${place}` }, 3),
  );
  const drawn = (await Promise.all(asked)).map((png) => png !== undefined);
  assert.deepEqual(drawn, [true, true, true, true, false, false]);
});

test('a process that dies fails its image only', async () => {
  assert.ok(await drawing.draw({ ...example, title: 'Before' }));
  const pid = drawing.running();
  assert.ok(pid);
  const dying = drawing.draw({ ...example, title: 'Dying' });
  const next = drawing.draw({ ...example, title: 'Next' });
  process.kill(pid, 'SIGKILL');
  await assert.rejects(dying, /ended before it finished/);
  assert.ok(await next);
  assert.notEqual(drawing.running(), pid);
});

test('at the end neither process nor files are left, and nothing is drawn any more', async () => {
  const own = openDrawing();
  const before = new Set(await readdir(parent));
  await own.draw(example);
  const pid = own.running();
  assert.ok(pid);
  const [made = '', ...more] = (await readdir(parent)).filter((name) => !before.has(name));
  assert.match(made, /^colophon-drawing-/);
  assert.deepEqual(more, []);
  await own[Symbol.asyncDispose]();
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.ok(!(await readdir(parent)).includes(made), 'its folder is gone');
  await assert.rejects(own.draw(example), /is stopped/);
});
