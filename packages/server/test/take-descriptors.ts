// Takes the file descriptors of this process, as a server has none left that has too many connections.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** More than any test has open. */
const most = 256;

function presentLimit(): number {
  const { stdout } = spawnSync('prlimit', ['--nofile', '--output=SOFT', '--noheadings'], {
    encoding: 'utf8',
  });
  return Number(stdout);
}

/** Sets the limit of a process, or of this one. Returns whether this machine can. */
export function limitDescriptors(limit: number, pid = process.pid): boolean {
  return spawnSync('prlimit', [`--pid=${pid}`, `--nofile=${limit}:`]).status === 0;
}

/** Leaves so many descriptors free. Returns a function that gives the others back; undefined: this machine cannot. */
export function takeDescriptors(left: number): (() => void) | undefined {
  const before = presentLimit();
  if (!limitDescriptors(most)) return undefined;
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    for (const one of taken.splice(0, left)) closeSync(one);
  }
  return () => {
    for (const one of taken) closeSync(one);
    limitDescriptors(before);
  };
}
