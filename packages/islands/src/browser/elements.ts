// Elements of the page, and its base path, for islands.

/** The path of the service below its host, from the markup. */
export const base = document.documentElement.dataset['base'] ?? '';

export function all<E extends HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

export function one<E extends HTMLElement>(selector: string, within: ParentNode = document): E {
  const found = within.querySelector<E>(selector);
  if (found === null) throw new Error(`${selector} is missing in the page.`);
  return found;
}
