// A progress bar on standard error, for people at a terminal.
import type { Terminal } from '../terminal.ts';

const cells = 24;
const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);

export interface Progress {
  /** Shows how many bytes are sent. */
  readonly show: (sent: number) => void;
  /** Removes the bar. */
  readonly end: () => void;
}

/** Opens a bar for `total` bytes; it shows nothing where standard error is not a terminal. */
export function openProgress({ errors }: Terminal, total: number): Progress {
  if (errors.isTTY !== true) return { show: () => {}, end: () => {} };
  let shown = '';
  return {
    show: (sent) => {
      const share = total === 0 ? 1 : Math.min(sent / total, 1);
      const full = Math.round(share * cells);
      const bar = '█'.repeat(full) + '░'.repeat(cells - full);
      const line = `${bar} ${Math.floor(share * 100)}% of ${megabytes(total)} MB`;
      if (line !== shown) errors.write(`\r${line}`);
      shown = line;
    },
    end: () => {
      if (shown !== '') errors.write(`\r${' '.repeat(shown.length)}\r`);
    },
  };
}
