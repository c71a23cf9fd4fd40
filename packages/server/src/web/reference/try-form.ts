// The form that sends a real request. An island enables it; the token never leaves the memory of the page.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Described, Parameter } from './operations.ts';

function options({ type, values }: Parameter): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : values;
}

/** A field for a parameter. It has no name, so that nothing of it could ever get into an address. */
function parameterInput(parameter: Parameter): Html {
  const { name, example, required } = parameter;
  const id = `${parameter.in}-${name}`;
  const choices = options(parameter);
  const own = html`id="${id}" data-in="${parameter.in}" data-name="${name}"${required && html` required`}`;
  const control =
    choices.length > 0 && parameter.in === 'query'
      ? html`<select ${own}><option value=""></option>${choices.map((value) => html`<option>${value}</option>`)}</select>`
      : html`<input ${own}${example !== undefined && html` placeholder="${example}"`} autocomplete="off" autocapitalize="none" spellcheck="false">`;
  return html`<div class="input"><label for="${id}"><code>${name}</code>${required && html` <span class="need">required</span>`}</label>
${control}</div>
`;
}

function bodyInput({ bodyExample, upload }: Described): Content {
  if (upload !== undefined)
    return html`<div class="input"><label for="try-file">File</label>
<input id="try-file" type="file" required></div>
`;
  if (bodyExample === undefined) return null;
  return html`<div class="input"><label for="try-body">Body, as JSON</label>
<textarea id="try-body" rows="${Math.min(16, bodyExample.split('\n').length + 1)}" spellcheck="false" autocapitalize="none" autocomplete="off">${bodyExample}</textarea></div>
`;
}

/** The form, and where the answer appears as text. */
export function tryForm(operation: Described): Html {
  const { method, path, parameters } = operation;
  const first = parameters.filter(({ required }) => required);
  const others = parameters.filter(({ required }) => !required);
  return html`<section id="try" aria-labelledby="try-title"><h2 id="try-title">Try it</h2>
<p class="small">This sends a real request to this service${method !== 'GET' && ' and changes real content'}.</p>
<noscript><p class="note">Trying needs JavaScript. The command above sends the same request.</p></noscript>
<form class="form" data-method="${method}" data-path="${path}" autocomplete="off">
<div class="input"><label for="token">Token</label>
<input id="token" class="secret" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="token-hint">
<p class="small" id="token-hint">Kept in the memory of this page only, never stored, and gone when you reload.</p></div>
${first.map(parameterInput)}${bodyInput(operation)}${
    others.length > 0 &&
    html`<details><summary>Optional parameters</summary>
${others.map(parameterInput)}</details>
`
  }<p><button type="submit" disabled>Send ${method}</button></p>
</form>
<div class="answer" role="group" aria-label="Answer" hidden>
<p class="outcome" role="status" tabindex="-1"></p>
<p><button type="button" class="quiet keep" hidden>Use this token</button></p>
<dl class="heads"></dl>
<pre class="code" tabindex="0" role="region" aria-label="Body of the answer"><code></code></pre>
</div></section>`;
}
