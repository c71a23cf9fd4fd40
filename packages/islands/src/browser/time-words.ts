// Days and moments in the reader's zone, in the words of the pages: day month year, 24 hours.

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

export function dayOf(at: Date | number): string {
  return days.format(at);
}

export function clockOf(at: Date | number): string {
  return clock.format(at);
}

/** The day and the minute, as `exactly` of the pages writes them in UTC. */
export function momentOf(at: Date | number): string {
  return `${dayOf(at)}, ${clockOf(at)}`;
}
