// Words of the command line that are not UTF-8: the platform replaces their bytes before the program sees them.
import { readFileSync } from 'node:fs';
import { misuse } from './failures.ts';

/** Stands for bytes that are not UTF-8; a text may also contain it itself. */
const replacement = '\ufffd';

/** Whether the process was started with words that are all UTF-8; false where the system does not show them. */
function areWhole(): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(readFileSync('/proc/self/cmdline'));
    return true;
  } catch {
    return false;
  }
}

/** @throws Failure for a word that is not UTF-8: a text would be published with other characters than it has */
export function requireWhole(words: readonly string[]): void {
  if (!words.some((word) => word.includes(replacement)) || areWhole()) return;
  throw misuse(
    'An argument is not UTF-8.',
    'Convert a text to UTF-8 and send it on standard input, or rename the file.',
  );
}
