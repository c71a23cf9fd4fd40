// Pictures: pasted, dropped or chosen, uploaded, described, and put into the text.
import type { EditorView } from '@codemirror/view';
import { element, isRefusal } from '../exchange.ts';
import { describe } from './describe.ts';
import { notePicture } from './picture-notes.ts';
import { discard, upload, variantReady } from './upload.ts';

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

type OneDescribed = { readonly alt: string; readonly width: string } | undefined;

/** Adds a picture, unless the dialog is cancelled. Returns whether it could be uploaded. */
async function addOne(
  view: EditorView,
  file: File,
  described: Promise<OneDescribed>,
): Promise<boolean> {
  const note = notePicture(view, view.state.selection.main.head);
  note.say(`Uploading ${file.name}…`);
  let isOpen = true;
  // At once, and not when the upload ends: on a slow network that takes minutes.
  void described.then((one) => {
    if (one === undefined && isOpen) note.remove();
  });
  try {
    const alt = described.then((one) => one?.alt ?? '');
    const { id, url } = await upload(file, alt, (percent) =>
      note.say(`Uploading ${file.name}: ${percent} %`),
    );
    const one = await described;
    if (one === undefined) {
      await discard(id);
      return true;
    }
    const { width } = one;
    note.say(`Preparing ${file.name}…`);
    if (width !== '') await variantReady(id, width);
    note.replace(`![${inBrackets(one.alt)}](${url}${width === '' ? '' : `?w=${width}`})`);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    isOpen = false;
    note.fail(`${file.name} was not added. ${error.message}`);
    return false;
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
  const none = new AbortController();
  const described = describe(fine, none.signal);
  const uploads = fine.map((file, index) => {
    const own = described.then((all) => all && { alt: all.alts[index] ?? '', width: all.width });
    return addOne(view, file, own);
  });
  // There is nothing left to describe, and the dialog would hide why.
  void Promise.all(uploads.map((one) => one.then((isUploaded) => !isUploaded))).then((failed) => {
    if (failed.every(Boolean)) none.abort();
  });
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
