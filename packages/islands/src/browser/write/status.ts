// The status line: whether the text is saved, in words.
import { element } from '../exchange.ts';
import { clockOf } from '../time-words.ts';

export type State =
  | { readonly kind: 'saved' | 'saving' | 'waiting' | 'typed' | 'empty' | 'conflict' | 'nothing' }
  | { readonly kind: 'ended'; readonly again: () => void }
  | { readonly kind: 'used-up'; readonly until: number }
  | { readonly kind: 'refused'; readonly why: string };

const words = {
  nothing: '',
  typed: 'Saved on this device',
  saving: 'Saving…',
  saved: 'Saved',
  waiting: 'Saved on this device; will be sent when the connection is back',
  empty: 'Saved on this device; will be sent when there is some text',
  conflict: 'Not saved: this article was changed elsewhere. Choose below what to keep',
  ended: 'Saved on this device; not sent: your session has ended.',
} as const;

function wordsOf(state: State): string {
  if (state.kind === 'refused') return `Not saved: ${state.why}`;
  if (state.kind === 'used-up')
    return `Saved on this device; your allowance is used up, so it will be sent at ${clockOf(state.until)}`;
  return words[state.kind];
}

export interface Status {
  show(state: State): void;
  /** Says something beside the state until the text is changed by its author. */
  say(words: string): void;
  hush(): void;
  /** Says whether what is typed is kept on this device. */
  keep(isKept: boolean): void;
}

/** Opens the status line. It is read out politely, so it changes only when its words do. */
export function openStatus(isPublished: boolean): Status {
  const place = element('#status');
  let state: State = { kind: 'nothing' };
  let said = '';
  let isKept = true;
  const write = () => {
    const words = wordsOf(state);
    const shown = isKept ? words : words.replace(/^Saved on this device/, 'Not saved yet');
    const readers =
      isPublished && state.kind === 'saved'
        ? 'Readers see the published text until you publish'
        : '';
    const sentences = [said, shown, readers].filter((text) => text !== '');
    const text = sentences.map((one) => (/[.…]$/.test(one) ? one : `${one}.`)).join(' ');
    if (text !== '' && place.textContent !== text) place.textContent = text;
    place.dataset['state'] = state.kind;
    if (state.kind === 'ended') addButton(state.again);
  };
  const addButton = (again: () => void) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = 'Sign in';
    button.addEventListener('click', again);
    place.append(' ', button);
  };
  return {
    show: (next) => {
      state = next;
      write();
    },
    say: (words) => {
      said = words;
      write();
    },
    hush: () => {
      if (said === '') return;
      said = '';
      write();
    },
    keep: (isNowKept) => {
      isKept = isNowKept;
      write();
    },
  };
}
