// Progress on stderr: a bar on a terminal, an occasional line elsewhere.
import type { WriteStream } from 'node:tty';

const width = 30;
const barEveryMs = 100;
const lineEveryMs = 3_000;

export interface Progress extends Disposable {
  readonly advance: () => void;
}

function seconds(ms: number): string {
  const whole = Math.round(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Shows how much of `total` is done, the speed and the remaining time, until it is disposed of. */
export function startProgress(total: number, out: WriteStream = process.stderr): Progress {
  const begin = performance.now();
  let done = 0;
  const describe = () => {
    const elapsed = performance.now() - begin;
    const rest = done === 0 ? '' : `, ${seconds((elapsed / done) * (total - done))} left`;
    return `${done} of ${total}, ${((done / elapsed) * 1000).toFixed(1)} a second${rest}`;
  };
  const draw = () => {
    if (!out.isTTY) return out.write(`${describe()}\n`);
    const filled = total === 0 ? width : Math.floor((done / total) * width);
    return out.write(`\r\u001B[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${describe()}`);
  };
  const timer = setInterval(draw, out.isTTY ? barEveryMs : lineEveryMs);
  return {
    advance: () => {
      done += 1;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      draw();
      if (out.isTTY) out.write('\n');
    },
  };
}
