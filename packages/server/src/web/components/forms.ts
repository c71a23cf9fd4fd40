// Components of forms: a field with its hint and its fault, the place of other faults, recovery codes.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength: number;
  readonly autocomplete: string;
  readonly focused?: boolean;
}

/** A field. What is wrong with it appears below it and is read out. */
export function field(own: Field): Html {
  const { name, label, hint, maxLength, autocomplete } = own;
  return html`<div class="input">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" maxlength="${maxLength}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" dir="auto" aria-describedby="${name}-fault${hint !== undefined && ` ${name}-hint`}"${own.required && html` required`}${own.focused && html` autofocus`}>
${hint !== undefined && html`<p class="small" id="${name}-hint">${hint}</p>`}
<p class="fault" id="${name}-fault" aria-live="polite"></p>
</div>`;
}

/** Where a form says what went wrong. */
export const formFault = html`<p class="fault" role="alert"></p>`;

/** Said where scripts do not run: a passkey cannot be used without one. */
export function needsScript(what: string): Html {
  return html`<noscript><p class="note warning">${what} needs a passkey, and passkeys need JavaScript. Allow it for this site, and load the page again.</p></noscript>`;
}

/** The recovery codes, which a script fills in. */
export function codesSection(next: Content): Html {
  return html`<section id="codes" class="codes" hidden>
<h2 tabindex="-1">Your recovery codes</h2>
<p>Keep them where you keep other important things. Each one signs you in once if you lose your passkeys. <strong>They are shown only now.</strong></p>
<ol class="plain"></ol>
<p><button type="button" disabled class="quiet">Copy all</button></p>
${next}
</section>`;
}
