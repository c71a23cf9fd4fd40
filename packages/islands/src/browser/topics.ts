// The page /write/{id}/publish: topics that exist are suggested while one is typed (the combobox of WAI-ARIA 1.2).
// Without this script the browser suggests them from the same list, as far as it does.

const shownMax = 8;

const list = document.createElement('ul');
list.id = 'suggestions';
list.className = 'suggestions';
list.role = 'listbox';
list.ariaLabel = 'Topics that exist';

/** The field whose suggestions are shown. */
let field: HTMLInputElement | undefined;
/** Which of them Enter takes; -1 for none. */
let chosen = -1;

const fields = () => [...document.querySelectorAll<HTMLInputElement>('.topic-fields input')];
const key = (text: string) => text.trim().normalize('NFKC').toLowerCase();

function close(): void {
  list.remove();
  field?.setAttribute('aria-expanded', 'false');
  field?.removeAttribute('aria-activedescendant');
  [field, chosen] = [undefined, -1];
}

function take(topic: string): void {
  const target = field;
  close();
  if (target === undefined) return;
  target.value = topic;
  target.focus();
}

/** Those that begin with what was typed, then those that contain it; none that the article has already. */
function matchingTopics(typed: HTMLInputElement): readonly string[] {
  const words = key(typed.value);
  const taken = new Set(fields().flatMap((one) => (one === typed ? [] : key(one.value))));
  const options = document.querySelectorAll<HTMLOptionElement>('#topics option');
  const found = Array.from(options, ({ value }) => value).filter(
    (topic) => key(topic).includes(words) && key(topic) !== words && !taken.has(key(topic)),
  );
  const begins = (topic: string) => Number(!key(topic).startsWith(words));
  return found.toSorted((one, other) => begins(one) - begins(other)).slice(0, shownMax);
}

function optionOf(topic: string, at: number): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `suggestion-${at}`;
  option.role = 'option';
  option.ariaSelected = 'false';
  option.dir = 'auto';
  option.textContent = topic;
  // Before the field loses the focus.
  option.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    take(topic);
  });
  return option;
}

function suggest(typed: HTMLInputElement): void {
  close();
  const topics = matchingTopics(typed);
  if (topics.length === 0) return;
  field = typed;
  list.replaceChildren(...topics.map(optionOf));
  typed.after(list);
  typed.setAttribute('aria-expanded', 'true');
}

function choose(at: number): void {
  const options = [...list.children];
  // Beyond either end nothing is chosen, as in what was typed.
  chosen = at < -1 ? options.length - 1 : at >= options.length ? -1 : at;
  for (const [index, option] of options.entries()) option.ariaSelected = String(index === chosen);
  options[chosen]?.scrollIntoView({ block: 'nearest' });
  const id = options[chosen]?.id;
  if (id === undefined) field?.removeAttribute('aria-activedescendant');
  else field?.setAttribute('aria-activedescendant', id);
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Opens the suggestions, or moves in them. */
function move(typed: HTMLInputElement, step: number): void {
  if (field === undefined) suggest(typed);
  if (field !== undefined) choose(chosen + step);
}

function press(event: KeyboardEvent, typed: HTMLInputElement): void {
  const step = steps[event.key];
  if (event.isComposing) return;
  if (step !== undefined) move(typed, step);
  else if (event.key === 'Enter' && chosen >= 0) take(list.children[chosen]?.textContent ?? '');
  else if (event.key === 'Escape' && field !== undefined) close();
  else return;
  event.preventDefault();
}

function open(): void {
  close();
  for (const one of fields()) {
    // The browser's own list would cover this one.
    one.removeAttribute('list');
    one.role = 'combobox';
    one.ariaAutoComplete = 'list';
    one.setAttribute('aria-expanded', 'false');
    one.setAttribute('aria-controls', list.id);
    one.addEventListener('input', () => suggest(one));
    one.addEventListener('keydown', (event) => press(event, one));
    one.addEventListener('blur', close);
  }
}

document.addEventListener('shown', open);
open();
