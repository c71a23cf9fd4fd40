// The program that draws leaves nothing when its parent process ends, whatever it is doing.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { environmentIn, program, settingsIn } from './index.ts';
import type { Card } from './index.ts';

const card: Card = {
  title: 'A title',
  language: 'en',
  kind: 'human',
  username: 'ann',
  displayName: null,
  ownerUsername: null,
  direction: 'ltr',
  disclosure: 'human_authored',
  host: 'example.org',
};

/** Fills a folder, so that its removal takes longer than a drawing. */
async function fill(folder: string): Promise<void> {
  for (let part = 0; part < 10; part += 1) {
    const inner = join(folder, `part-${part}`);
    await mkdir(inner);
    await Promise.all(
      Array.from({ length: 300 }, (_, file) => writeFile(join(inner, String(file)), '')),
    );
  }
}

/** Starts the program, draws once, and lets its parent leave this long after the next drawing began. */
async function leaveWhileDrawing(delayMs: number): Promise<{ drawMs: number; isLeft: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-leaving-'));
  const { file, text } = settingsIn(folder);
  await writeFile(file, text);
  await fill(folder);
  const child = fork(program, [folder], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: environmentIn(folder),
  });
  child.send(card);
  await once(child, 'message');
  const began = performance.now();
  child.send({ ...card, title: 'Another title' });
  await once(child, 'message');
  const drawMs = performance.now() - began;
  child.send({ ...card, title: 'A third title' });
  await setTimeout(delayMs);
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  const isLeft = existsSync(folder);
  await rm(folder, { recursive: true, force: true });
  return { drawMs, isLeft };
}

test('a drawing that ends while the program leaves does not stop it from removing its folder', async () => {
  const { drawMs } = await leaveWhileDrawing(0);
  for (let step = 1; step <= 4; step += 1) {
    const { isLeft } = await leaveWhileDrawing((step * drawMs) / 4);
    assert.equal(isLeft, false, `${step} quarters`);
  }
});
