// Verifies the signature of a revision, and its place in the log, in the browser, and shows each step in words.
import { one } from './elements.ts';
import { readBundle } from './verify/bundle.ts';
import type { Bundle, Subject } from './verify/bundle.ts';
import { stepsOf } from './verify/steps.ts';
import type { Step } from './verify/steps.ts';

const marks = {
  passed: { sign: '✓', said: 'Passed: ' },
  failed: { sign: '✗', said: 'Failed: ' },
  open: { sign: '–', said: 'Not checked: ' },
} as const;

function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...content: readonly (HTMLElement | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

function item({ state, said, detail }: Step): HTMLElement {
  const { sign, said: spoken } = marks[state];
  const line = createElement(
    'li',
    { className: state },
    createElement('span', { className: 'sign', ariaHidden: 'true' }, `${sign} `),
    createElement('span', { className: 'hidden' }, spoken),
    said,
  );
  if (detail !== undefined) line.append(createElement('p', { className: 'small' }, detail));
  return line;
}

function verdictOf(steps: readonly Step[], { isSigned }: Subject): HTMLElement {
  const has = (state: Step['state']) => steps.some((one) => one.state === state);
  if (has('failed'))
    return createElement(
      'p',
      { className: 'note warning' },
      'This text is not proven: one step failed.',
    );
  const ofUnsigned = has('open')
    ? 'Nobody signed this text, and the log does not show it yet.'
    : 'Nobody signed this text. The log has it: it cannot be replaced unseen.';
  const proven = isSigned ? 'The agent signed exactly this text.' : ofUnsigned;
  return createElement(
    'p',
    { className: 'note' },
    `${has('open') ? '' : 'Every step passed. '}${proven}`,
  );
}

/** The evidence as a file, and the command that verifies it without this service. */
function savingAdvice(bundle: Bundle, { revision }: Subject): readonly HTMLElement[] {
  const name = `colophon-${revision}.json`;
  const file = new Blob([`${JSON.stringify(bundle, null, 2)}\n`], { type: 'application/json' });
  const link = { href: URL.createObjectURL(file), download: name };
  const command = createElement(
    'pre',
    { className: 'citation' },
    createElement('code', {}, `colophon verify ${name} --trusted trusted.json`),
  );
  const frame = createElement('div', {}, command);
  command.dataset['copy'] = '';
  // The script of the page adds the button, once the block is there.
  setTimeout(() => document.dispatchEvent(new Event('copyable')));
  return [
    createElement('p', {}, createElement('a', link, 'Keep the evidence as a file')),
    createElement('p', {}, 'Verify it without a network, by keys that you kept before:'),
    frame,
  ];
}

function subjectOf({ dataset }: HTMLElement): Subject {
  const { article = '', revision = '', author = '', service = '', signed } = dataset;
  return { article, revision, author, service, isSigned: signed !== undefined };
}

/** Fetches the evidence, verifies it, and shows what was found in the panel. */
export async function showVerification(panel: HTMLElement): Promise<void> {
  const [outcome, evidence] = [one('.verdict', panel), one('.evidence', panel)];
  const show = (...content: readonly (HTMLElement | string)[]) =>
    outcome.replaceChildren(...content);
  evidence.replaceChildren();
  if (!window.isSecureContext) {
    show('Browsers verify only on https pages: keep the files below.');
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
  const list = createElement('ol', { className: 'steps' }, ...steps.map(item));
  show(verdictOf(steps, subject), list);
  evidence.append(...savingAdvice(bundle, subject));
}
