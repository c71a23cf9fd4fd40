// The program that draws: receives a card as a message, returns its PNG, and may be killed at any time.
import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { drawCard } from './card.ts';
import { openFonts } from './fonts.ts';
import type { Answer, Card } from './index.ts';
import { addFont } from './typeset.ts';

const memoryMax = 512 * 1024 * 1024;
const lookMs = 20;

const [folder = ''] = process.argv.slice(2);

// The library draws in threads of its own, so this thread is free for the check.
const memoryCheck = setInterval(() => {
  if (process.memoryUsage.rss() > memoryMax) process.exit(1);
}, lookMs);
memoryCheck.unref();

/** Exits without waiting for the drawing in progress, as an orderly exit would. */
function leave(): void {
  // The parent process removes the folder of a process that exits; now there is none.
  clearInterval(memoryCheck);
  // A drawing in progress may still write to the folder.
  void rm(folder, { recursive: true, force: true, maxRetries: 5 }).finally(() =>
    process.kill(process.pid, 'SIGKILL'),
  );
}

// The parent process has ended or closed the channel, perhaps before this process could listen.
process.once('disconnect', leave);
if (!process.connected) leave();

sharp.cache(false);
sharp.concurrency(1);
// Nothing is decoded except our own background.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });

const fonts = openFonts(folder, addFont);

process.on('message', (card: Card) => {
  // With a callback, an answer that comes after the parent process has ended is not an uncaught error: that would
  // exit before the folder is removed.
  const answer = (content: Answer) => process.send?.(content, () => undefined);
  drawCard(card, fonts).then(
    (png) => answer({ png }),
    (error: Error) => answer({ failed: error.message }),
  );
});
