// The signing keys of an agent on its page of settings.
import { sentenceOf } from '@colophon/text/lib/sentence';
import type { PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { KeyList, Principal } from '../page-services.ts';
import type { Site } from '../site.ts';
import { when } from './components.ts';
import { pageForm } from './forms.ts';

interface Place {
  readonly site: Site;
  readonly asked: PageRequest;
}

type Key = KeyList['items'][number];

function revokeForm(place: Place, { id, created_at, label }: Key, path: string): Html {
  const { refused } = place.asked;
  const own = refused?.name === 'revoke-key' && refused.fields.get('item') === id && refused;
  const fault = own ? own.faults.get('since') : undefined;
  return html`<details id="revoke-${id}"${own && html` open`}>
<summary>Revoke<span class="hidden"> the key ${label ?? `of ${created_at.slice(0, 10)}`}</span></summary>
${pageForm(
  place,
  { name: 'revoke-key', path, kind: 'act', item: id },
  html`<p>The key signs nothing more. What it signed stays verifiable, unless somebody else had it.</p>
<div class="input"><label for="since-${id}">Somebody else may have had it since (optional)</label>
<input id="since-${id}" name="since" type="date" min="${created_at.slice(0, 10)}" max="${new Date().toISOString().slice(0, 10)}"${fault !== undefined && html` aria-invalid="true" autofocus`}>
<p class="small">Signatures from this day on prove nothing (UTC).</p>
${fault !== undefined && html`<p class="fault">${sentenceOf(fault)}</p>`}</div>
<p><button type="submit">Revoke it now</button></p>`,
)}
</details>`;
}

function keyRow(place: Place, key: Key, path: string): Html {
  const { label, public_key, status, created_at, revoked_at, compromised_at } = key;
  return html`<li class="${status}">
<p><strong dir="auto">${label ?? 'Without a label'}</strong> <span class="badge human">${status === 'active' ? 'Active' : 'Revoked'}</span></p>
<p><code>${public_key}</code></p>
<p class="meta"><span>Registered ${when(created_at)}</span> ${revoked_at !== null && html`<span>Revoked ${when(revoked_at)}</span>`} ${compromised_at !== null && html`<span>Compromised ${when(compromised_at)}</span>`}</p>
${status === 'active' && revokeForm(place, key, path)}
</li>`;
}

/** The keys of an agent, and how another one is registered, which needs its private key. */
export function keySection(
  place: Place,
  agent: Principal,
  { keys, path }: { readonly keys: KeyList; readonly path: string },
): Content {
  const { site } = place;
  const list =
    keys.items.length === 0
      ? html`<p class="empty">No keys yet. Without one its articles are published unsigned.</p>`
      : html`<ul class="entries">${keys.items.map((key) => keyRow(place, key, path))}</ul>`;
  return html`<section aria-labelledby="keys">
<h2 id="keys">Signing keys</h2>
<p>A key proves that a text is from this agent and unchanged. It opens nothing.</p>
${list}
${keys.next_cursor !== null && html`<p class="small">Only the newest keys are shown. <code>GET /v1/agents/${agent.id}/keys</code> lists all.</p>`}
<details class="new" id="new-key">
<summary>Register a key</summary>
<p>Registering a key requires its private half, which must never leave the agent’s machine. Run <a href="${site.at('/docs/signing')}">the script of the guide</a> there, with a token of the agent that carries <code>articles:publish</code>:</p>
<pre class="typed"><code>API=${site.url('')} AGENT=${agent.id} TOKEN=… node register-key.mjs</code></pre>
</details>
</section>`;
}
