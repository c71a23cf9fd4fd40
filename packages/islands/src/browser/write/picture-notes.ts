// Notes in the text where a picture will be: how far its upload is, or why there is none. They are not part of it.
import { StateEffect, StateField } from '@codemirror/state';
import type { EditorState } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

interface Place {
  readonly widget: Decoration;
  readonly at: number;
}

const add = StateEffect.define<Place>({
  map: ({ widget, at }, changes) => ({ widget, at: changes.mapPos(at) }),
});
const remove = StateEffect.define<HTMLElement>();

/** An element as CodeMirror wants it. It changes by itself, so it is the same for ever. */
function widgetOf(note: HTMLElement): WidgetType {
  const widget = Object.create(WidgetType.prototype) as WidgetType;
  return Object.assign(widget, { toDOM: () => note, ignoreEvent: () => true });
}

const noteOf = ({ spec }: Decoration) => (spec as { readonly note: HTMLElement }).note;

/** Grows: notes at the same place stand in the order in which they came. */
let side = 0;

export const pictureNotes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (notes, { changes, effects }) => {
    let next = notes.map(changes);
    for (const effect of effects) {
      if (effect.is(add)) {
        const { widget, at } = effect.value;
        next = next.update({ add: [widget.range(at)] });
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

/** Where a note is, and the notes ahead of it at the same place. */
function placeOf(state: EditorState, note: HTMLElement) {
  const notes = state.field(pictureNotes).iter();
  let places: readonly Place[] = [];
  for (; notes.value !== null; notes.next()) {
    const [widget, at] = [notes.value, notes.from];
    const ahead = places.filter((one) => one.at === at);
    if (noteOf(widget) === note) return { at, ahead };
    places = [...ahead, { widget, at }];
  }
  return { at: state.selection.main.head, ahead: [] };
}

/** What is missing of the empty line between two paragraphs. */
function gap(newlines: string): string {
  return '\n\n'.slice(newlines.length);
}

/**
 * A text that is a paragraph of its own at a position. An author whose caret is there goes on in a paragraph
 * behind it, and not in the line of the picture.
 */
function paragraph({ doc }: EditorState, at: number, text: string, goesOn: boolean): string {
  const [before] = /\n{0,2}$/.exec(doc.sliceString(Math.max(0, at - 2), at)) ?? [''];
  const [after] = /^\n*/.exec(doc.sliceString(at, at + 2)) ?? [''];
  return `${at === 0 ? '' : gap(before)}${text}${gap(goesOn ? '' : after)}`;
}

/** Puts a text in place of a note. The notes ahead of it stay in front: pictures keep their order. */
function replaceNote(view: EditorView, note: HTMLElement, text: string): void {
  const { at, ahead } = placeOf(view.state, note);
  const { main } = view.state.selection;
  const isHere = main.empty && main.head === at;
  const insert = paragraph(view.state, at, text, isHere);
  const kept = ahead.flatMap((one) => [remove.of(noteOf(one.widget)), add.of(one)]);
  view.dispatch({
    changes: { from: at, insert },
    effects: [remove.of(note), ...kept],
    ...(isHere && { selection: { anchor: at + insert.length } }),
    userEvent: 'input.paste',
  });
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
  side += 1;
  const widget = Decoration.widget({ widget: widgetOf(note), side, note });
  view.dispatch({ effects: add.of({ widget, at }) });
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
    replace: (markdown) => replaceNote(view, note, markdown),
    remove: close,
  };
}
