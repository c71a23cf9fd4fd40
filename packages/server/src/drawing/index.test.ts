// Tests of the process that draws: it is shared, it may crash, and it leaves nothing behind.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import type { Card } from '@colophon/share-images';
import { until } from '#test/throw-away-database';
import { openDrawing } from './index.ts';

const drawing = openDrawing();
after(() => drawing[Symbol.asyncDispose]());

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

/** Folders that processes of this test made; other tests run at the same time. */
async function folders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('colophon-drawing-'));
}

test('at the end neither process nor files are left, and nothing is drawn any more', async () => {
  const own = openDrawing();
  const before = new Set(await folders());
  await own.draw(example);
  const pid = own.running();
  assert.ok(pid);
  const made = (await folders()).filter((name) => !before.has(name));
  assert.ok(made.length > 0);
  await own[Symbol.asyncDispose]();
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  await until('a folder of it is gone', async () => {
    const left = new Set(await folders());
    return made.some((name) => !left.has(name));
  });
  await assert.rejects(own.draw(example), /is stopped/);
});
