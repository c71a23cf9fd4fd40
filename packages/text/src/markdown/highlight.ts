// Syntax highlighting of code: classes only, for known languages, within limits.
import highlighter from 'highlight.js/lib/common';

/** Longer blocks are not highlighted: the cost grows faster than the length. */
const blockMax = 20_000;
const textMax = 200_000;

/**
 * Returns the highlighter for the code blocks of one text. It returns HTML, or '' for code that is only
 * escaped. The author names the language; it is never guessed.
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
