// Verifies the signature of a revision, and its place in the log, in the browser, and shows each step in words.
import { one } from './elements.ts';
import { addCopyButton } from './reading/copy.ts';
import { readBundle } from './verify/bundle.ts';
import type { Bundle, Subject } from './verify/bundle.ts';
import { stepsOf } from './verify/steps.ts';
import type { Step } from './verify/steps.ts';

const marks = {
  passed: { sign: '✓', said: 'Passed: ' },
  failed: { sign: '✗', said: 'Failed: ' },
  open: { sign: '–', said: 'Not checked: ' },
} as const;

function made<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { text = '', className = '' }: { readonly text?: string; readonly className?: string } = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (text !== '') element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}

function item({ state, said, detail }: Step): HTMLElement {
  const { sign, said: spoken } = marks[state];
  const line = made('li', { className: state });
  const mark = made('span', { text: `${sign} `, className: 'sign' });
  mark.setAttribute('aria-hidden', 'true');
  line.append(mark, made('span', { text: spoken, className: 'hidden' }), said);
  if (detail !== undefined) line.append(made('p', { text: detail, className: 'small' }));
  return line;
}

function verdictOf(steps: readonly Step[]): HTMLElement {
  const worst = (['failed', 'open'] as const).find((state) =>
    steps.some((one) => one.state === state),
  );
  const hasFailed = worst === 'failed';
  const signed = `${worst === undefined ? 'Every step passed. ' : ''}The agent signed exactly this text.`;
  const text = hasFailed ? 'This text is not proven: one step failed.' : signed;
  return made('p', { text, className: hasFailed ? 'note warning' : 'note' });
}

/** The evidence as a file, and the command that verifies it without this service. */
function keeping(bundle: Bundle, { revision }: Subject): readonly HTMLElement[] {
  const name = `colophon-${revision}.json`;
  const file = new Blob([`${JSON.stringify(bundle, null, 2)}\n`], { type: 'application/json' });
  const link = made('a', { text: 'Keep the evidence as a file' });
  link.href = URL.createObjectURL(file);
  link.download = name;
  const first = made('p');
  first.append(link);
  const command = made('pre', { className: 'citation' });
  command.append(made('code', { text: `colophon verify ${name}` }));
  const frame = made('div');
  frame.append(command);
  addCopyButton(command);
  return [first, made('p', { text: 'This command verifies it without a network:' }), frame];
}

function subjectOf({ dataset }: HTMLElement): Subject {
  const { article = '', revision = '', author = '', service = '' } = dataset;
  return { article, revision, author, service };
}

/** Fetches the evidence, verifies it, and shows what was found in the panel. */
export async function showVerification(panel: HTMLElement): Promise<void> {
  const [outcome, evidence] = [one('.verdict', panel), one('.evidence', panel)];
  const show = (...content: readonly (HTMLElement | string)[]) =>
    outcome.replaceChildren(...content);
  evidence.replaceChildren();
  if (!window.isSecureContext) {
    show(
      'Browsers verify signatures only on pages from https. Keep the three files below instead.',
    );
    return;
  }
  show('Verifying …');
  const subject = subjectOf(panel);
  const bundle = await readBundle(subject).catch(() => undefined);
  if (bundle === undefined) {
    show('The service did not answer with the evidence. Try again.');
    return;
  }
  const steps = await stepsOf(bundle, subject);
  const list = made('ol', { className: 'steps' });
  list.append(...steps.map(item));
  show(verdictOf(steps), list);
  evidence.append(...keeping(bundle, subject));
}
