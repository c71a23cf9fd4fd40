// Starts the program that draws, as the service does, and draws cards with it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentIn, program, settingsIn } from '../src/index.ts';
import type { Answer, Card } from '../src/index.ts';

interface Program extends AsyncDisposable {
  /** Draws one card after another and returns its PNG. */
  draw(card: Card): Promise<Buffer>;
}

export async function startProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-program-'));
  const { file, text } = settingsIn(folder);
  await writeFile(file, text);
  const child = fork(program, [folder], {
    serialization: 'advanced',
    cwd: '/',
    env: { ...environmentIn(folder) },
  });
  let last: Promise<unknown> = Promise.resolve();

  async function drawNext(card: Card): Promise<Buffer> {
    const answered = once(child, 'message') as Promise<[Answer]>;
    child.send(card);
    const [answer] = await answered;
    if ('failed' in answer) throw new Error(answer.failed);
    return Buffer.from(answer.png);
  }

  return {
    draw: (card) => {
      const mine = last.then(() => drawNext(card));
      last = mine.catch(() => undefined);
      return mine;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
