// The toolbar: a button for each format. Arrow keys move between them, as in every toolbar (WAI-ARIA).
import type { EditorView } from '@codemirror/view';
import { element } from '../exchange.ts';
import { formats } from './format.ts';

function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** `Mod+B` as people write it. */
function keysOf(keys: string): string {
  return isApple ? keys.replace('Mod', '⌘').replaceAll('+', '') : keys.replace('Mod', 'Ctrl');
}

function moveFocus(buttons: readonly HTMLElement[], event: KeyboardEvent): void {
  const at = buttons.findIndex((button) => button === event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  const next = to === undefined ? undefined : buttons.at(to % buttons.length);
  if (next === undefined) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

/** Shows the toolbar. `image` lets images be chosen. */
export function openToolbar(view: EditorView, image: () => void): void {
  const bar = element('#tools');
  const buttons = [...bar.querySelectorAll<HTMLElement>('[data-tool]')];
  for (const [index, button] of buttons.entries()) {
    const { tool = '', keys = '' } = button.dataset;
    button.tabIndex = index === 0 ? 0 : -1;
    if (keys !== '') button.title = `${button.ariaLabel} (${keysOf(keys)})`;
    button.addEventListener('click', () => {
      if (!isFormat(tool)) {
        image();
        return;
      }
      formats[tool](view);
      view.focus();
    });
  }
  // A press would take the focus from the text, and close the keyboard of a phone.
  bar.addEventListener('mousedown', (event) => event.preventDefault());
  element('.tools').addEventListener('keydown', (event) => moveFocus(buttons, event));
  bar.hidden = false;
}
