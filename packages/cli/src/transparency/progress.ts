// A count on standard error while something long runs, for people at a terminal.
import type { Terminal } from '../terminal.ts';

export interface CountProgress {
  readonly show: (done: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Often enough to be seen to move. */
const everyMs = 100;

/** Opens a count such as `Verified 1,024 of 70,000 leaves`. It shows nothing where nobody looks. */
export function showCount(
  { errors }: Terminal,
  verb: string,
  total: number,
  what: string,
): CountProgress {
  if (errors.isTTY !== true) return { show: () => {}, end: () => {} };
  const number = new Intl.NumberFormat('en');
  let [shown, next] = ['', 0];
  return {
    show: (done) => {
      if (Date.now() < next && done < total) return;
      next = Date.now() + everyMs;
      shown = `${verb} ${number.format(done)} of ${number.format(Math.max(total, done))} ${what}`;
      errors.write(`\r${shown}`);
    },
    end: () => {
      if (shown !== '') errors.write(`\r${' '.repeat(shown.length)}\r`);
      shown = '';
    },
  };
}
