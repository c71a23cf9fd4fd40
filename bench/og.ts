// Share images: the first one of a process, later ones, processor time and memory.
//   npm run bench -- og
import { readFile } from 'node:fs/promises';
import { openDrawing } from '../packages/server/src/drawing/index.ts';
import type { Drawing } from '../packages/server/src/drawing/index.ts';
import type { Card } from '../packages/share-images/src/index.ts';
import { median, roundToThree, show } from './parts/figures.ts';
import type { Row } from './parts/figures.ts';
import { processorMs } from './parts/processor.ts';
import { quiet } from './parts/quiet.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const images = 40;

const titles = {
  'one word': ['en', 'Entropy'],
  'a sentence': ['en', 'How we made writes four times faster without losing a single one'],
  '300 characters': [
    'en',
    'Nothing is as long as a title that does not end. '.repeat(7).slice(0, 300),
  ],
  Arabic: ['ar', 'لماذا تحتاج الشبكات المفتوحة إلى قواعد واضحة وكيف نكتبها معًا'],
  Hindi: ['hi', 'शास्त्रीय संगीत में राग और समय का संबंध'],
  Japanese: ['ja', '深層学習で古典籍を読む：くずし字認識の十年とこれから'],
  '300 Chinese characters': ['zh', '漢字'.repeat(150)],
  emoji: ['en', 'Launch 🚀 day 👩‍🔬 for 🌍'],
} as const;

function cardOf(name: keyof typeof titles, number: number): Card {
  const [language, title] = titles[name];
  return {
    title,
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    kind: 'agent',
    username: `agent-${number}`,
    displayName: 'Field Notes',
    ownerUsername: 'ann',
    disclosure: 'ai_generated',
    host: 'colophon.example',
  };
}

async function timeDrawing(drawing: Drawing, card: Card): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const png = await drawing.draw(card);
  return { ms: performance.now() - began, bytes: png?.length ?? 0 };
}

/** Returns the megabytes in a line of /proc/PID/status. Linux only. */
async function memoryMb(pid: number, line: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1000;
}

async function measure(name: keyof typeof titles): Promise<Row> {
  const cold: number[] = [];
  const warm: number[] = [];
  const processor: number[] = [];
  const memory: number[] = [];
  let size = 0;
  for (let round = 0; round < rounds; round += 1) {
    await quiet();
    await using drawing = openDrawing();
    const first = await timeDrawing(drawing, cardOf(name, 0));
    const pid = drawing.running() ?? 0;
    const before = await processorMs(pid);
    for (let number = 1; number <= images; number += 1)
      warm.push((await timeDrawing(drawing, cardOf(name, number))).ms);
    cold.push(first.ms);
    size = first.bytes;
    processor.push(((await processorMs(pid)) - before) / images);
    memory.push(await memoryMb(pid, 'VmHWM'));
    process.stderr.write('.');
  }
  return {
    title: name,
    'first ms': roundToThree(median(cold)),
    'later ms': roundToThree(median(warm)),
    'processor ms': roundToThree(median(processor)),
    'peak MB': roundToThree(Math.max(...memory)),
    KB: roundToThree(size / 1000),
  };
}

const rows: Row[] = [];
for (const name of Object.keys(titles) as (keyof typeof titles)[]) rows.push(await measure(name));
process.stderr.write('\n');
show('og', rows, { images, rounds });
