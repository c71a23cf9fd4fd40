// Components of forms that choose: one of several options, each with its words; one of several images.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { faultBelow, focusOfFirst } from './forms.ts';

export interface Option {
  readonly label: Content;
  /** What choosing it does. */
  readonly hint?: string;
}

/** A group of fields with a name, and the place of its fault. */
export function group(
  own: {
    readonly name: string;
    readonly legend: string;
    readonly kind?: string;
    readonly hint?: string;
    readonly fault?: string | undefined;
  },
  content: Content,
): Html {
  const { name, legend, kind = '', hint, fault } = own;
  return html`<fieldset class="fields ${kind}" id="${name}" aria-describedby="${name}-fault">
<legend>${legend}</legend>
${hint !== undefined && html`<p class="small">${hint}</p>`}
${content}
${faultBelow(name, fault)}
</fieldset>`;
}

/** A choice of one of several options that are all seen at once. */
export function radios(own: {
  readonly name: string;
  readonly legend: string;
  readonly kind?: string;
  readonly hint?: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly value: string;
  readonly fault?: string | undefined;
}): Html {
  const { name, options, value } = own;
  const items = Object.entries(options).map(
    ([key, { label, hint }], at) => html`<label class="option">
<input type="radio" name="${name}" value="${key}"${key === value && html` checked`}${focusOfFirst(at, own.fault)}>
<span><span class="label">${label}</span>${hint !== undefined && html` <span class="small">${hint}</span>`}</span>
</label>`,
  );
  return group(own, html`<div class="options">${items}</div>`);
}
