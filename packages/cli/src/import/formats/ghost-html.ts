// The HTML of Ghost as every reader sees it: without blocks that only members see.
import { replacePairs } from './paired.ts';
import type { Pairs } from './paired.ts';

const blockEnd = /<!--\s{0,8}kg-gated-block:end\s{0,8}-->/g;
/** Ghost removes such a block from a page, unless its reader is one of those that the mark names. */
const blocks: Pairs = {
  opening: /<!--\s{0,8}kg-gated-block:begin\s([^\n>]{0,500})-->/g,
  closingOf: () => blockEnd,
};

export interface PublicHtml {
  readonly html: string;
  /** Whether there were blocks for members. */
  readonly isCut: boolean;
}

/** Returns the HTML of a post without the blocks that are not for everybody. */
export function publicHtml(html: string): PublicHtml {
  let isCut = false;
  const shown = replacePairs(html, blocks, ({ opened: [, readers = ''], inner }) => {
    if (inner === undefined || /\bnonMember:\s*true\b/.test(readers)) return undefined;
    isCut = true;
    return '';
  });
  return { html: shown, isCut };
}
