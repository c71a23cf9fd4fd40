// Shows the progress of a long command: one updated line on a terminal, several lines elsewhere.
import type { Writer } from './command.ts';

export interface Progress extends Disposable {
  /** Begins a part; `total` undefined: the number is unknown. */
  begin(name: string, total: number | undefined, done: number): void;
  /** Counts one more as done, or so many. */
  add(count?: number): void;
  /** Ends the part; its last line stays. */
  end(): void;
}

interface Part {
  readonly name: string;
  readonly total: number | undefined;
  readonly since: number;
  readonly from: number;
  done: number;
}

const terminalMs = 200;
const linesMs = 5_000;

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** Returns a line such as `search: 1,200 of 5,000 (24 %), 800/s, 5 s left`. */
export function lineOf(
  { name, total, from, done }: Pick<Part, 'name' | 'total' | 'from' | 'done'>,
  seconds: number,
): string {
  const rate = seconds > 0 ? (done - from) / seconds : 0;
  const speed = rate > 0 ? `, ${Math.round(rate).toLocaleString('en')}/s` : '';
  const count = done.toLocaleString('en');
  if (total === undefined) return `${name}: ${count}${speed}`;
  // More may have been added since the total was counted.
  const most = Math.max(total, done);
  const share = most === 0 ? 100 : Math.floor((done / most) * 100);
  const left = rate > 0 && done < most ? `, ${duration((most - done) / rate)} left` : '';
  return `${name}: ${count} of ${most.toLocaleString('en')} (${share} %)${speed}${left}`;
}

/** Shows progress on `screen` until it is disposed of. */
export function makeProgress(
  screen: Writer,
  now: () => number = () => performance.now(),
): Progress {
  const onTerminal = screen.isTTY === true;
  let part: Part | undefined;
  let shown = '';

  function show(): void {
    if (part === undefined) return;
    const line = lineOf(part, (now() - part.since) / 1_000);
    if (line === shown) return;
    shown = line;
    screen.write(onTerminal ? `\r${line}\u001b[K` : `${line}\n`);
  }

  function end(): void {
    if (part === undefined) return;
    show();
    if (onTerminal) screen.write('\n');
    part = undefined;
    shown = '';
  }

  const timer = setInterval(show, onTerminal ? terminalMs : linesMs);
  return {
    begin: (name, total, done) => {
      end();
      part = { name, total, since: now(), from: done, done };
      if (onTerminal) show();
    },
    add: (count = 1) => {
      if (part !== undefined) part.done += count;
    },
    end,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      end();
    },
  };
}
