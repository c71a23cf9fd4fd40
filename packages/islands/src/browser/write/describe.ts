// Asks for what pictures show, for people who cannot see them, and how large they should be.
import { element } from '../exchange.ts';

export interface Described {
  /** In the order of the files; '' where nothing was typed. */
  readonly alts: readonly string[];
  /** Pixels; '' for the original. */
  readonly width: string;
}

const widths = [
  ['1280', 'Wide (1280 pixels)'],
  ['640', 'Medium (640 pixels)'],
  ['', 'Original, with its metadata'],
] as const;

function part<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function withLabel(id: string, label: string, control: HTMLElement): HTMLElement {
  const row = part('div');
  const name = part('label', label);
  row.className = 'input';
  control.id = id;
  name.htmlFor = id;
  row.append(name, control);
  return row;
}

/** The size, with a warning beside the one that keeps the metadata of a photo. */
function sizeChoice(): { readonly select: HTMLSelectElement; readonly warning: HTMLElement } {
  const select = part('select');
  for (const [value, label] of widths) {
    const option = part('option', label);
    option.value = value;
    select.append(option);
  }
  const warning = part('p', 'The metadata of a photo may say where and when it was taken.');
  warning.id = 'picture-metadata';
  warning.hidden = true;
  select.setAttribute('aria-describedby', warning.id);
  select.addEventListener('change', () => {
    warning.hidden = select.value !== '';
  });
  return { select, warning };
}

const askForOne =
  'Say what it shows, for people who cannot see it. It is uploaded while you write.';
const askForSeveral =
  'Say what each one shows, for people who cannot see it. They are uploaded while you write.';

/** What the dialog returns when the pictures are to be added. */
const added = 'added';

/** What was typed in this page: a file that is added again after a failure has its description. */
const typed = new Map<string, string>();

const keyOf = ({ name, size }: File): string => `${size} ${name}`;

/** Whether a dialog is open: the next one waits for it. */
let last: Promise<unknown> = Promise.resolve();

/** Why a description is refused: the dialog stays open with it. Nothing is cut. '' where it fits. */
function faultOf(text: string): string {
  const max = Number(element('#editor').dataset['altMax']);
  const length = [...text.trim()].length;
  return length > max ? `A description has at most ${max} characters; this one has ${length}.` : '';
}

function ask(files: readonly File[], stop: AbortSignal): Promise<Described | undefined> {
  const dialog = part('dialog');
  const form = part('form');
  const heading = part('h2', files.length === 1 ? 'Describe the image' : 'Describe the images');
  heading.id = 'describe';
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', heading.id);
  form.className = 'form';
  form.method = 'dialog';
  const fields = files.map((file) => {
    const field = part('textarea');
    field.value = typed.get(keyOf(file)) ?? '';
    field.rows = 2;
    field.addEventListener('input', () => field.setCustomValidity(faultOf(field.value)));
    field.dir = 'auto';
    return field;
  });
  const { select: size, warning } = sizeChoice();
  const done = part('button', 'Add to the text');
  done.value = added;
  const cancel = part('button', 'Cancel');
  cancel.type = 'button';
  cancel.className = 'quiet';
  cancel.addEventListener('click', () => dialog.close());
  const buttons = part('p');
  buttons.append(done, ' ', cancel);
  form.append(
    heading,
    part('p', files.length === 1 ? askForOne : askForSeveral),
    ...fields.map((field, index) => withLabel(`alt-${index}`, files[index]?.name ?? '', field)),
    withLabel('picture-size', 'Size', size),
    warning,
    buttons,
  );
  dialog.append(form);
  document.body.append(dialog);
  if (!stop.aborted) dialog.showModal();
  return new Promise((resolve) => {
    const end = (isAdded: boolean) => {
      dialog.remove();
      for (const [index, file] of files.entries())
        typed.set(keyOf(file), fields[index]?.value ?? '');
      const alts = fields.map((field) => field.value.trim());
      resolve(isAdded ? { alts, width: size.value } : undefined);
    };
    if (stop.aborted) end(false);
    stop.addEventListener('abort', () => dialog.close());
    dialog.addEventListener('close', () => end(dialog.returnValue === added));
  });
}

/** Opens the dialog for some pictures. Returns undefined when it is cancelled, also by Escape, or by `stop`. */
export function describe(
  files: readonly File[],
  stop: AbortSignal,
): Promise<Described | undefined> {
  const described = last.then(() => ask(files, stop));
  last = described;
  return described;
}
