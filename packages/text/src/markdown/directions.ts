// Blocks whose words run from right to left although they begin with a Latin name.
import type { StateCore, Token } from 'markdown-it';
import { beginsRightToLeft, directionOfText } from '../lib/writing-direction.ts';

/** Returns the words of a block, without code, and without addresses unless they are wanted. */
function wordsOf(children: readonly Token[], withAddresses: boolean): string {
  let words = '';
  let isAddress = false;
  for (const { type, content, markup } of children) {
    if (type === 'link_open') isAddress = markup === 'linkify' || markup === 'autolink';
    if (type === 'link_close') isAddress = false;
    if (type === 'text' && (withAddresses || !isAddress)) words += content;
    else words += ' ';
  }
  return words;
}

/**
 * Marks the blocks that browsers, which look at the first letter only, would show from left to right although
 * most of their letters are Hebrew, Arabic or the like. The words of a list item get an element of their own,
 * so that its bullet stays where those of the other items are.
 */
export function markDirections({ tokens }: StateCore): void {
  for (const [index, { type, children }] of tokens.entries()) {
    const [open, close] = [tokens[index - 1], tokens[index + 1]];
    if (type !== 'inline' || children === null || open === undefined || close === undefined)
      continue;
    if (directionOfText(wordsOf(children, false)) === 'ltr') continue;
    if (beginsRightToLeft(wordsOf(children, true))) continue;
    open.attrSet('dir', 'rtl');
    if (!open.hidden) continue;
    for (const token of [open, close]) Object.assign(token, { hidden: false, tag: 'div' });
  }
}
