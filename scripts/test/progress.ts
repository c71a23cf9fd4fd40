// The progress report of a test run: files done, time left, and the slowest files at the end.
import { relative } from 'node:path';

export interface Progress {
  /** Call it when a file has ended; returns the line to print. */
  done(file: string, seconds: number): string;
  slowest(count: number): string;
}

function duration(seconds: number): string {
  if (seconds < 60) return 'under a minute';
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/**
 * Follows a run of `files`, `atOnce` of them at a time. `expected` returns the recorded seconds of a file;
 * the times of the current run correct them.
 */
export function followProgress(
  files: readonly string[],
  expected: (file: string) => number,
  atOnce: number,
): Progress {
  const left = new Set(files);
  const times: { readonly name: string; readonly seconds: number }[] = [];
  let expectedDone = 0;
  let seconds = 0;
  const remaining = (): number => {
    const pace = expectedDone === 0 ? 1 : seconds / expectedDone;
    const sum = [...left].reduce((total, file) => total + expected(file), 0);
    const longest = Math.max(0, ...[...left].map(expected));
    return Math.max(sum / atOnce, longest) * pace;
  };
  return {
    done: (file, took) => {
      left.delete(file);
      expectedDone += expected(file);
      seconds += took;
      times.push({ name: relative('.', file), seconds: took });
      const end = left.size === 0 ? 'the last file' : `${duration(remaining())} left`;
      return `${times.length} of ${files.length} files, ${end}: ${relative('.', file)} (${took.toFixed(1)} s)`;
    },
    slowest: (count) => {
      const slow = times.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
      return slow.map((one) => `${one.seconds.toFixed(1).padStart(7)} s  ${one.name}\n`).join('');
    },
  };
}
