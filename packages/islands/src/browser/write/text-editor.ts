// The field for the text: CodeMirror in place of the text area, with Markdown highlighted.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { defineLanguageFacet, Language, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { ChangeSpec, Text } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';
import { element } from '../exchange.ts';
import { formatKeys } from './format.ts';
import { pictureNotes } from './picture-notes.ts';

const markdown = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown');

/** Classes only: the style sheet of the editor has their looks. */
const highlighted = tagHighlighter([
  { tag: tags.heading1, class: 'md-heading md-1' },
  { tag: tags.heading2, class: 'md-heading md-2' },
  { tag: tags.heading, class: 'md-heading' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strikethrough, class: 'md-struck' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.quote, class: 'md-quote' },
  { tag: tags.link, class: 'md-link' },
  { tag: [tags.url, tags.labelName, tags.string], class: 'md-address' },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: 'md-mark' },
]);

export interface TextEditor {
  readonly view: EditorView;
  read(): string;
  /** Replaces the text, as one step that can be undone. The caret stays where it is. */
  write(text: string): void;
}

/** What happens in the field. */
export interface Listeners {
  readonly changed: () => void;
  /** Files were pasted or dropped. Returns whether they are taken. */
  readonly files: (files: readonly File[]) => boolean;
}

function filesOf(transfer: DataTransfer | null): readonly File[] {
  return [...(transfer?.files ?? [])];
}

function listenTo({ changed, files }: Listeners) {
  return [
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed();
    }),
    EditorView.domEventHandlers({
      paste: (event) => {
        // A copied passage of a word processor carries a picture of itself: its text is what is meant.
        const hasText = event.clipboardData?.types.includes('text/plain') === true;
        return !hasText && files(filesOf(event.clipboardData));
      },
      drop: (event, view) => {
        const dropped = filesOf(event.dataTransfer);
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (dropped.length > 0 && at !== null) view.dispatch({ selection: { anchor: at } });
        return files(dropped);
      },
    }),
  ];
}

/** Returns the smallest change that makes one text of another, so that the caret and marks stay. */
function changeTo(now: string, next: string): ChangeSpec {
  let from = 0;
  const shorter = Math.min(now.length, next.length);
  while (from < shorter && now[from] === next[from]) from += 1;
  let end = 0;
  while (end < shorter - from && now.at(-1 - end) === next.at(-1 - end)) end += 1;
  return { from, to: now.length - end, insert: next.slice(from, next.length - end) };
}

/** Reads a document once, however often it is asked for. */
function reader(): (document: Text) => string {
  let last: Text | undefined;
  let text = '';
  return (document) => {
    if (document !== last) text = document.toString();
    last = document;
    return text;
  };
}

/** Puts the editor in place of the text area, which keeps its text for the form. */
export function openTextEditor(area: HTMLTextAreaElement, listeners: Listeners): TextEditor {
  const { nonce = '' } = element('#editor').dataset;
  const attributes = {
    'aria-labelledby': 'content-label',
    'aria-describedby': 'editor-hint',
    spellcheck: 'true',
    autocorrect: 'on',
    autocapitalize: 'sentences',
  };
  const view = new EditorView({
    doc: area.value,
    extensions: [
      history(),
      EditorView.cspNonce.of(nonce),
      EditorState.allowMultipleSelections.of(false),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of(attributes),
      placeholder(area.placeholder),
      markdown,
      syntaxHighlighting(highlighted),
      search({ top: true }),
      keymap.of([
        ...formatKeys,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      pictureNotes,
      listenTo(listeners),
    ],
  });
  area.hidden = true;
  area.required = false;
  area.before(view.dom);
  const textOf = reader();
  return {
    view,
    read: () => textOf(view.state.doc),
    write: (text) => {
      const now = textOf(view.state.doc);
      if (now === text) return;
      view.dispatch({ changes: changeTo(now, text), userEvent: 'input.replace' });
    },
  };
}
