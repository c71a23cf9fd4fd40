// The toolbar of the editor. It is shown by the script, which it needs.
import { html } from '../html.ts';
import type { Html } from '../html.ts';

/** The label of a button, what it shows, and its shortcut; `Mod` is Command on Apple's systems. */
const tools = [
  { name: 'bold', label: 'Bold', sign: 'B', keys: 'Mod+B' },
  { name: 'italic', label: 'Italic', sign: 'I', keys: 'Mod+I' },
  { name: 'link', label: 'Link', sign: 'Link', keys: 'Mod+K' },
  { name: 'heading', label: 'Heading', sign: 'H', keys: 'Mod+Alt+2' },
  {
    name: 'list',
    label: 'List',
    sign: html`•<span class="word"> List</span>`,
    keys: 'Mod+Shift+8',
  },
  { name: 'quote', label: 'Quote', sign: '“ ”', keys: 'Mod+Shift+9' },
  { name: 'code', label: 'Code', sign: '<>', keys: 'Mod+E' },
  { name: 'image', label: 'Image: add images', sign: 'Image', keys: '' },
] as const;

export function editorTools(): Html {
  const buttons = tools.map(
    ({ name, label, sign, keys }) =>
      html`<button type="button" class="tool" data-tool="${name}" data-keys="${keys}" aria-label="${label}" title="${label}"><span aria-hidden="true">${sign}</span></button>`,
  );
  return html`<div class="editor-tools" id="tools" hidden>
<div class="tools" role="toolbar" aria-label="Format" aria-controls="text">${buttons}</div>
<button type="button" class="tool" id="show-preview" aria-pressed="false" aria-controls="preview">Preview</button>
<input type="file" id="files" aria-label="Images" accept="image/png,image/jpeg,image/gif,image/webp,image/avif" multiple hidden>
</div>`;
}
