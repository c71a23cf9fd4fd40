// Links to the parts of one page, of which one is shown.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';

export interface Tab {
  readonly path: string;
  readonly label: Content;
  readonly isCurrent: boolean;
}

/** `name` says what the parts are of. */
export function tabs(name: string, list: readonly Tab[]): Html {
  const items = list.map(
    ({ path, label, isCurrent }) =>
      html`<li><a href="${path}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`,
  );
  return html`<nav aria-label="${name}"><ul class="tabs">${items}</ul></nav>`;
}
