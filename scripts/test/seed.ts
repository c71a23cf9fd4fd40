// SEED, from which the inputs of random tests are drawn.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const largest = 2 ** 31;

/** Without git, in an unpacked archive for example. */
const withoutCommit = 1;

/**
 * The same for the same committed files: what passes before a change is submitted draws the same inputs after it,
 * and a failure repeats. Another commit draws others.
 */
function seedOfCommit(root: string): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], {
    cwd: root,
    encoding: 'utf8',
  });
  const digits = Number.parseInt(String(stdout ?? '').slice(0, 8), 16);
  return Number.isNaN(digits) ? withoutCommit : digits % largest;
}

/** Returns SEED if it is set; else one of the commit, or for a long run a random one. */
export function chooseSeed(root: string, isLong: boolean): number {
  const given = Number.parseInt(process.env['SEED'] ?? '', 10);
  if (!Number.isNaN(given)) return given;
  return isLong ? randomInt(largest) : seedOfCommit(root);
}
