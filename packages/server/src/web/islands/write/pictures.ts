// Pictures: pasted, dropped or chosen, uploaded, described, and put into the text.
import type { EditorView } from '@codemirror/view';
import { element, isRefusal } from '../exchange.ts';
import { describe } from './describe.ts';
import type { Described } from './describe.ts';
import { notePicture } from './picture-notes.ts';
import { upload, variantReady } from './upload.ts';

const { types = '', fileMax = '0' } = element('#editor').dataset;
const mebibyte = 1024 ** 2;

/** Why a file cannot be added; undefined if it can. It is checked again by the service. */
function faultOf({ type, size }: File): string | undefined {
  if (!types.split(',').includes(type))
    return 'Only PNG, JPEG, GIF, WebP and AVIF images can be added.';
  const max = Number(fileMax);
  if (size > max) return `It is larger than ${max / mebibyte} MiB.`;
  return size === 0 ? 'It is empty.' : undefined;
}

/** A description inside of the brackets of Markdown. */
function inBrackets(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]]/g, String.raw`\$&`);
}

async function addOne(
  view: EditorView,
  file: File,
  described: Promise<{ readonly alt: string; readonly width: string }>,
): Promise<void> {
  const note = notePicture(view, view.state.selection.main.head);
  note.say(`Uploading ${file.name}…`);
  try {
    const alt = described.then((one) => one.alt);
    const { id, url } = await upload(file, alt, (percent) =>
      note.say(`Uploading ${file.name}: ${percent} %`),
    );
    const { width } = await described;
    note.say(`Preparing ${file.name}…`);
    if (width !== '') await variantReady(id, width);
    note.replace(`![${inBrackets(await alt)}](${url}${width === '' ? '' : `?w=${width}`})`);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    note.fail(`${file.name} was not added. ${error.message}`);
  }
}

/** Says of a file why it cannot be added. */
function refuse(view: EditorView, file: File, fault: string): void {
  notePicture(view, view.state.selection.main.head).fail(`${file.name} was not added. ${fault}`);
}

function addAll(view: EditorView, files: readonly File[]): void {
  const faults = new Map(files.map((file) => [file, faultOf(file)]));
  const fine = files.filter((file) => faults.get(file) === undefined);
  for (const [file, fault] of faults) if (fault !== undefined) refuse(view, file, fault);
  if (fine.length === 0) return;
  const described: Promise<Described> = describe(fine);
  for (const [index, file] of fine.entries()) {
    const own = described.then(({ alts, width }) => ({ alt: alts[index] ?? '', width }));
    void addOne(view, file, own);
  }
}

export interface Pictures {
  /** Takes files. Returns whether there were any. */
  readonly add: (files: readonly File[]) => boolean;
  /** Lets the author choose files. */
  readonly choose: () => void;
}

/** Opens the ways for pictures into the text. */
export function openPictures(view: EditorView): Pictures {
  const chooser = element<HTMLInputElement>('#files');
  const add = (files: readonly File[]) => {
    addAll(view, files);
    return files.length > 0;
  };
  chooser.addEventListener('change', () => {
    add([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  return { add, choose: () => chooser.click() };
}
