// Shows times in the reader's zone: how long ago, with the exact time when pointed at. Where times are compared
// with each other, or are evidence, the page asks for the exact ones.
import { dayOf, momentOf } from './time-words.ts';

// Not 'auto': its “yesterday” would be wrong for most of the hours between one and two days.
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

const units = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;

/** Times further away are shown as days. */
const relativeSeconds = 7 * 86_400;
const refreshMs = 60_000;

function relative(seconds: number): string {
  if (Math.abs(seconds) < 60) return seconds > 0 ? 'in a minute' : 'just now';
  const [unit, length] = units.findLast(([, least]) => Math.abs(seconds) >= least) ?? units[0];
  return ago.format(Math.trunc(seconds / length), unit);
}

function wordsOf(at: Date): string {
  const seconds = (at.getTime() - Date.now()) / 1000;
  return Math.abs(seconds) < relativeSeconds ? relative(seconds) : dayOf(at);
}

/** Rewrites all times of the page. */
export function showTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const words = 'exact' in time.dataset ? momentOf(at) : wordsOf(at);
    time.title = momentOf(at);
    if (time.textContent !== words) time.textContent = words;
  }
}

/** Shows all times, and keeps them right while the page is open. */
export function watchTimes(): void {
  showTimes();
  setInterval(showTimes, refreshMs);
}
