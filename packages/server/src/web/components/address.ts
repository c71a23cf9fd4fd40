// An address as text of a page.
import { shownAddress } from '#lib/shown-address';
import { html } from '../html.ts';
import type { Html } from '../html.ts';

const otherScripts = /([^\0-\x7f]+(?:[-_.][^\0-\x7f]+)*)/;

/**
 * Shows an address with its words decoded. Words are isolated: without it, a Hebrew word would pull the digits and
 * hyphens that follow it to its other side.
 */
export function addressText(address: string): Html {
  const parts = shownAddress(address).split(otherScripts);
  return html`<bdi dir="ltr">${parts.map((part, at) => (at % 2 === 0 ? part : html`<bdi>${part}</bdi>`))}</bdi>`;
}
