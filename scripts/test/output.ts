// The output of a process of the test command, up to a mark.
import type { ChildProcess } from 'node:child_process';

export interface Output {
  /** Resolves when `mark` has arrived on both streams, or both have ended. */
  reached(mark: string): Promise<void>;
  /** Returns the output since the last call, without `mark`. */
  take(mark: string): string;
}

/**
 * Collects the output of a process. Its messages use a separate channel, and may arrive before its output.
 */
export function collectOutput(child: ChildProcess): Output {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const texts = streams.map(() => '');
  let look = (): void => undefined;
  streams.forEach((stream, index) => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      texts[index] += text;
      look();
    });
    stream.on('close', () => look());
  });
  return {
    reached: async (mark) =>
      new Promise((resolveReached) => {
        look = () => {
          const missing = streams.some(
            (stream, index) => !stream.closed && texts[index]?.includes(mark) !== true,
          );
          if (!missing) resolveReached();
        };
        look();
      }),
    take: (mark) => {
      const text = texts.map((printed) => printed.replace(mark, '')).join('');
      texts.fill('');
      return text;
    },
  };
}
