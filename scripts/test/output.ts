// What a process of the test command prints, up to a mark.
import type { ChildProcess } from 'node:child_process';

export interface Output {
  /** Resolves when both streams have carried `mark`, or have ended. */
  reached(mark: string): Promise<void>;
  /** What came since the last call, without `mark`. */
  take(mark: string): string;
}

/** Collects what a process prints. Its answers travel beside the output, on a channel of their own, and may arrive first. */
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
