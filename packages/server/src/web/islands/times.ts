// Shows times in the reader's zone: how long ago, with the exact time when pointed at.

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const units = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;

/** Older times keep the date that the page has. */
const relativeSeconds = 7 * 86_400;

function relative(seconds: number): string {
  if (Math.abs(seconds) < 60) return 'just now';
  const [unit, length] = units.findLast(([, least]) => Math.abs(seconds) >= least) ?? units[0];
  return ago.format(Math.trunc(seconds / length), unit);
}

/** Rewrites all times of the page. */
export function showTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = exact.format(at);
    const seconds = (at.getTime() - Date.now()) / 1000;
    if (Math.abs(seconds) < relativeSeconds) time.textContent = relative(seconds);
  }
}
