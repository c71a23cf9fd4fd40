// A progress bar on standard error, for people at a terminal.
import type { Terminal } from '../terminal.ts';

const cells = 24;

/** Formats a number of bytes in the unit in which it is not zero: `640 bytes`, `3.2 KB`, `1.5 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  // From here on a tenth of a KB rounds up to 1,000.0.
  const [size, unit] = bytes < 999_950 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toFixed(1)} ${unit}`;
}

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
      const line = `${bar} ${Math.floor(share * 100)}% of ${byteSize(total)}`;
      if (line !== shown) errors.write(`\r${line}`);
      shown = line;
    },
    end: () => {
      if (shown !== '') errors.write(`\r${' '.repeat(shown.length)}\r`);
    },
  };
}
