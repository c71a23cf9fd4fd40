// The commands of the toolbar, and their shortcuts: they write Markdown around or before the selection.
import { EditorSelection } from '@codemirror/state';
import type { ChangeSpec, EditorState, SelectionRange, StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';

type Edited = { readonly range: SelectionRange; readonly changes: readonly ChangeSpec[] };

const moveRange = (range: SelectionRange, by: number) =>
  EditorSelection.range(range.anchor + by, range.head + by);

/** Puts a mark on both sides of the selection, or takes it away. */
function surround(mark: string): StateCommand {
  const { length } = mark;
  const edit = (state: EditorState, range: SelectionRange): Edited => {
    const { from, to } = range;
    const around = [state.sliceDoc(from - length, from), state.sliceDoc(to, to + length)];
    if (around.every((part) => part === mark)) {
      const changes = [
        { from: from - length, to: from },
        { from: to, to: to + length },
      ];
      return { range: moveRange(range, -length), changes };
    }
    const changes = [
      { from, insert: mark },
      { from: to, insert: mark },
    ];
    return { range: moveRange(range, length), changes };
  };
  return ({ state, dispatch }) => {
    const spec = state.changeByRange((range) => edit(state, range));
    dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

/** Puts a sign before each line of the selection, or takes it away. */
function prefix(sign: string, known: RegExp): StateCommand {
  return ({ state, dispatch }) => {
    const { from, to } = state.selection.main;
    const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
    const lines = Array.from({ length: last - first + 1 }, (_, index) =>
      state.doc.line(first + index),
    );
    const some = lines.filter(({ text }) => text !== '' || lines.length === 1);
    const isThere = some.every(({ text }) => text.startsWith(sign));
    const changes = some.map((line) => {
      const old = known.exec(line.text)?.[0].length ?? 0;
      return { from: line.from, to: line.from + old, insert: isThere ? '' : sign };
    });
    const made = state.changes(changes);
    const selection = EditorSelection.range(made.mapPos(from, 1), made.mapPos(to, 1));
    dispatch(state.update({ changes: made, selection, userEvent: 'input', scrollIntoView: true }));
    return true;
  };
}

const fence = '```';

/** Marks words of a line as code, and several lines as a block. */
const code: StateCommand = (target) => {
  const { state, dispatch } = target;
  const { from, to } = state.selection.main;
  if (!state.sliceDoc(from, to).includes('\n')) return surround('`')(target);
  const [start, end] = [state.doc.lineAt(from).from, state.doc.lineAt(to).to];
  const changes = [
    { from: start, insert: `${fence}\n` },
    { from: end, insert: `\n${fence}` },
  ];
  dispatch(state.update({ changes, userEvent: 'input', scrollIntoView: true }));
  return true;
};

/** Makes a link of the selection, and selects the part that is still to be typed. */
const link: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const selected = state.sliceDoc(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(selected);
  const [words, address] = isAddress ? ['', selected] : [selected, 'https://'];
  const insert = `[${words}](${address})`;
  const inAddress = from + words.length + 3;
  const selection =
    words === ''
      ? EditorSelection.cursor(from + 1)
      : EditorSelection.range(inAddress, inAddress + address.length);
  dispatch(
    state.update({
      changes: { from, to, insert },
      selection,
      userEvent: 'input',
      scrollIntoView: true,
    }),
  );
  return true;
};

const marker = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|>)( +)(\[[ xX]\] )?/;

/** What begins the line after one that begins with `found`. */
function nextLineStart([, indent = '', bullet, number, point, space = ' ', task]: RegExpExecArray) {
  const sign = bullet ?? (number === undefined ? '>' : `${Number(number) + 1}${point}`);
  return `\n${indent}${sign}${space}${task === undefined ? '' : '[ ] '}`;
}

/** Begins the next line of a list or a quote as this one; ends it on an empty item. */
const nextItem: StateCommand = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const found = marker.exec(line.text);
  if (!empty || found === null || head - line.from < found[0].length) return false;
  const isEmpty = line.text === found[0];
  const next = nextLineStart(found);
  const changes = isEmpty ? { from: line.from, to: line.to } : { from: head, insert: next };
  const selection = EditorSelection.cursor(isEmpty ? line.from : head + next.length);
  dispatch(state.update({ changes, selection, userEvent: 'input', scrollIntoView: true }));
  return true;
};

const item = /^(?:[-*+]|\d{1,9}[.)]) +/;

/** By the names of the buttons. */
export const formats = {
  bold: surround('**'),
  italic: surround('_'),
  link,
  heading: prefix('## ', /^#{1,6} +/),
  list: prefix('- ', item),
  quote: prefix('> ', /^> ?/),
  code,
} as const;

export const formatKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: formats.bold },
  { key: 'Mod-i', run: formats.italic },
  { key: 'Mod-k', run: formats.link },
  { key: 'Mod-Alt-2', run: formats.heading },
  { key: 'Mod-Shift-8', run: formats.list },
  { key: 'Mod-Shift-9', run: formats.quote },
  { key: 'Mod-e', run: formats.code },
  { key: 'Enter', run: nextItem },
];
