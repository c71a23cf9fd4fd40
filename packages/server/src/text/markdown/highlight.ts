// Colours of code: classes only, of languages that are known, within bounds.
import highlighter from 'highlight.js/lib/common';

/** Longer blocks are shown without colours: the cost grows faster than the length. */
const blockMax = 20_000;
const textMax = 200_000;

/**
 * Colours the code blocks of one text: answers HTML, or '' for what is to be escaped as it is. The
 * language is the author's word; none is guessed.
 */
export function highlightWithin(): (code: string, language: string) => string {
  let left = textMax;
  return (code, language) => {
    if (code.length > Math.min(blockMax, left)) return '';
    if (highlighter.getLanguage(language) === undefined) return '';
    left -= code.length;
    return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
  };
}
