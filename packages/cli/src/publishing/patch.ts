// A unified diff of two texts that does not take minutes for texts that have little in common.
import { createTwoFilesPatch } from 'diff';

const longestMs = 5_000;

interface Side {
  readonly name: string;
  /** Ends with a line break. */
  readonly lines: string;
}

function prefixLines({ lines }: Side, mark: '-' | '+'): string {
  return lines.replace(/^(?=.|\n)/gm, mark);
}

const countOf = ({ lines }: Side) => lines.split('\n').length - 1;

/** Everything of one text is replaced by the other: a patch too, and what a reader can still use. */
function wholePatch(from: Side, to: Side): string {
  return `--- ${from.name}
+++ ${to.name}
@@ -1,${countOf(from)} +1,${countOf(to)} @@
${prefixLines(from, '-')}${prefixLines(to, '+')}`;
}

/** Returns the patch from one text to the other; the whole texts if comparing them takes longer than `limitMs`. */
export function patchBetween(from: Side, to: Side, limitMs = longestMs): string {
  const options = { timeout: limitMs };
  const found = createTwoFilesPatch(from.name, to.name, from.lines, to.lines, '', '', options);
  return found ?? wholePatch(from, to);
}
