// The program that draws: a card comes as a message, its PNG goes back. It may be killed at any moment.
import { rm } from 'node:fs/promises';
import type { Card } from '#lib/og-card';
import sharp from 'sharp';
import { drawCard } from './card.ts';
import { openFonts } from './fonts.ts';
import { addFont } from './typeset.ts';

const memoryMax = 512 * 1024 * 1024;
const lookMs = 20;

const [folder = ''] = process.argv.slice(2);

// The library draws in threads of its own, so this one is free to look.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMax) process.exit(1);
}, lookMs).unref();

/** At once: an orderly exit would wait for the drawing that is under way. */
function leave(): void {
  // A drawing that is under way may still write there.
  void rm(folder, { recursive: true, force: true, maxRetries: 5 }).finally(() =>
    process.kill(process.pid, 'SIGKILL'),
  );
}

// Whoever started this program is gone, or needs it no more; perhaps since before it could listen.
process.once('disconnect', leave);
if (!process.connected) leave();

sharp.cache(false);
sharp.concurrency(1);
// Nothing is decoded but our own drawing of the background.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });

const fonts = openFonts(folder, addFont);

process.on('message', (card: Card) => {
  drawCard(card, fonts).then(
    (png) => process.send?.({ png }),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
