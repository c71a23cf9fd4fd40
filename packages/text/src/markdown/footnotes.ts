// The HTML of footnotes: our own ids, and labels for screen readers.
import type { MarkdownIt, Token } from 'markdown-it';

interface Note {
  readonly id: number;
  /** The number of this reference among several to the same note. */
  readonly subId: number;
}

function noteOf(tokens: readonly Token[], index: number): Note {
  const { id = 0, subId = 0 } = (tokens[index]?.meta ?? {}) as Partial<Note>;
  return { id: id + 1, subId };
}

// No heading's id contains a colon, so the ids never clash.
function referenceId({ id, subId }: Note): string {
  return subId === 0 ? `md:ref-${id}` : `md:ref-${id}-${subId + 1}`;
}

/** Replaces every rule of the plugin that writes HTML. */
export function presentFootnotes(parser: MarkdownIt): void {
  const { rules } = parser.renderer;
  rules['footnote_ref'] = (tokens, index) => {
    const note = noteOf(tokens, index);
    return `<sup class="footnote-ref"><a href="#md:note-${note.id}" id="${referenceId(note)}">${note.id}</a></sup>`;
  };
  rules['footnote_block_open'] = () => '<section class="footnotes">\n<ol>\n';
  rules['footnote_block_close'] = () => '</ol>\n</section>\n';
  rules['footnote_open'] = (tokens, index) => `<li id="md:note-${noteOf(tokens, index).id}">`;
  rules['footnote_close'] = () => '</li>\n';
  rules['footnote_anchor'] = (tokens, index) =>
    ` <a href="#${referenceId(noteOf(tokens, index))}" class="footnote-back" aria-label="Back to the text">↩</a>`;
}
