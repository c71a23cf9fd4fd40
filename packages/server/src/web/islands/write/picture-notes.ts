// Notes in the text where a picture will be: how far its upload is, or why there is none. They are no part of it.
import { StateEffect, StateField } from '@codemirror/state';
import type { EditorState } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

interface Place {
  readonly note: HTMLElement;
  readonly at: number;
}

const add = StateEffect.define<Place>({
  map: ({ note, at }, changes) => ({ note, at: changes.mapPos(at) }),
});
const remove = StateEffect.define<HTMLElement>();

/** An element as CodeMirror wants it. It changes by itself, so it is the same for ever. */
function widgetOf(note: HTMLElement): WidgetType {
  const widget = Object.create(WidgetType.prototype) as WidgetType;
  return Object.assign(widget, { toDOM: () => note, ignoreEvent: () => true });
}

const noteOf = ({ spec }: Decoration) => (spec as { readonly note?: HTMLElement }).note;

export const pictureNotes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (notes, { changes, effects }) => {
    let next = notes.map(changes);
    for (const effect of effects) {
      if (effect.is(add)) {
        const widget = Decoration.widget({
          widget: widgetOf(effect.value.note),
          side: 1,
          note: effect.value.note,
        });
        next = next.update({ add: [widget.range(effect.value.at)] });
      } else if (effect.is(remove)) {
        next = next.update({
          filter: (_from, _to, one) => noteOf(one) !== effect.value,
        });
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function placeOf(state: EditorState, note: HTMLElement): number | undefined {
  const notes = state.field(pictureNotes).iter();
  for (; notes.value !== null; notes.next()) {
    if (noteOf(notes.value) === note) return notes.from;
  }
  return undefined;
}

/** What is missing of the empty line between two paragraphs. */
function gap(newlines: string): string {
  return '\n\n'.slice(newlines.length);
}

/** A text that is a paragraph of its own at a position. */
function paragraph({ doc }: EditorState, at: number, text: string): string {
  const [before] = /\n{0,2}$/.exec(doc.sliceString(Math.max(0, at - 2), at)) ?? [''];
  const [after] = /^\n*/.exec(doc.sliceString(at, at + 2)) ?? [''];
  return `${at === 0 ? '' : gap(before)}${text}${gap(after)}`;
}

export interface PictureNote {
  /** Says something where the picture will be. */
  readonly say: (words: string) => void;
  /** Says why there is no picture; its author can close the note. */
  readonly fail: (why: string) => void;
  /** Puts Markdown there in place of the note. */
  readonly replace: (markdown: string) => void;
  readonly remove: () => void;
}

export function notePicture(view: EditorView, at: number): PictureNote {
  const note = document.createElement('span');
  note.className = 'picture-note';
  note.role = 'status';
  view.dispatch({ effects: add.of({ note, at }) });
  const close = () => {
    view.dispatch({ effects: remove.of(note) });
    view.focus();
  };
  return {
    say: (words) => {
      if (note.textContent !== words) note.textContent = words;
    },
    fail: (why) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Close';
      button.addEventListener('click', close);
      note.classList.add('failed');
      note.replaceChildren(why, ' ', button);
    },
    replace: (markdown) => {
      const from = placeOf(view.state, note) ?? view.state.selection.main.head;
      const insert = paragraph(view.state, from, markdown);
      const effects = remove.of(note);
      view.dispatch({ changes: { from, insert }, effects, userEvent: 'input.paste' });
    },
    remove: close,
  };
}
