// Pieces of the reference: text with code in it, code blocks, and members with their types.
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Field } from './schema-fields.ts';

/** Text of the contract, in which code stands between backticks. */
export function inline(text: string): Content {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

export function paragraphs(text: string): Content {
  return text.split('\n\n').map(
    (part) => html`<p>${inline(part)}</p>
`,
  );
}

/** A block of code that scrolls by keyboard too. */
export function code(text: string, label: string): Html {
  return html`<pre class="code" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

export function method(name: string): Html {
  return html`<span class="method ${name.toLowerCase()}">${name}</span>`;
}

/** The path, which breaks only between its parts. */
export function path(text: string): Html {
  const parts = text.split('/').slice(1);
  return html`<code class="path">${parts.map((part) => html`<wbr>/${part}`)}</code>`;
}

function typeLine({ type, limits, values }: Field): Content {
  const listed = values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`);
  const words = [type, limits].filter((one) => one !== '').join(', ');
  return html`<span class="type">${words}${values.length > 0 && html`: ${listed}`}</span>`;
}

/** Members of a body or an answer. Members of a member are folded. */
export function fieldList(fields: readonly Field[], note: (field: Field) => string): Html {
  const items = fields.map((field) => {
    const mark = note(field);
    return html`<div><dt><code>${field.name}</code>${mark !== '' && html` <span class="need">${mark}</span>`}</dt>
<dd>${typeLine(field)}${field.description !== '' && html`<span class="says">${inline(field.description)}</span>`}${
      field.fields.length > 0 &&
      html`<details><summary>Members of <code>${field.name}</code></summary>${fieldList(field.fields, note)}</details>`
    }</dd></div>
`;
  });
  return html`<dl class="members">
${items}</dl>`;
}
