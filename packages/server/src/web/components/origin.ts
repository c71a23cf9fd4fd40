// How a reader knows who wrote a text: its signature in words, the history of the key, and where the proof is.
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Article, Author, Revision, Signing } from '../page-services.ts';
import { exactly } from './components.ts';

/** A revision that everyone may read, with its author. */
export interface Origin {
  readonly articleId: string;
  readonly author: Pick<Author, 'id' | 'kind' | 'username'>;
  readonly revision: Pick<Revision, 'revision_id' | 'content_hash' | 'signature'>;
  readonly signing: Signing | null;
}

type State = 'none' | 'active' | 'revoked' | 'before-compromise' | 'compromised';

function stateOf({ revision, signing }: Origin): State {
  if (revision.signature === null || signing === null) return 'none';
  const { signed_at, key_revoked_at, key_compromised_at } = signing;
  if (key_compromised_at !== null)
    return signed_at < key_compromised_at ? 'before-compromise' : 'compromised';
  return key_revoked_at === null ? 'active' : 'revoked';
}

const marks: Readonly<Record<State, string>> = {
  none: 'Not signed',
  active: 'Signed',
  revoked: 'Signed with a key that was revoked later',
  'before-compromise': 'Signed before the key was compromised',
  compromised: 'Signed with a compromised key',
};

const sentences: Readonly<Record<Exclude<State, 'none'>, string>> = {
  active:
    'The agent signed exactly this text. This service verified the signature when it was published.',
  revoked:
    'The agent signed exactly this text. Its key was revoked later: it can sign nothing more, and what it signed before stays valid.',
  'before-compromise':
    'The agent signed exactly this text, and this service received the signature before anybody else may have had the key.',
  compromised:
    'This signature proves nothing: when it was made, somebody else may have had the key. Only the word of this service says that the agent wrote this text.',
};

function unsignedNote({ kind }: Origin['author']): string {
  return kind === 'agent'
    ? 'The agent has not signed this text. Only the word of this service says who wrote it.'
    : 'People do not sign their texts here. This service says who wrote it: the author published it while signed in.';
}

/** Says in a few words whether and how a revision is signed. */
export function signatureMark(origin: Origin): Html {
  const state = stateOf(origin);
  return html`<span class="${state === 'compromised' ? 'state due' : 'state'}">${marks[state]}</span>`;
}

/** The history of the key, with the signature in its place. */
function keyHistory(signing: Signing): Html {
  const { key_created_at, signed_at, key_revoked_at, key_compromised_at } = signing;
  const steps = [
    { at: key_created_at, said: 'Registered' },
    { at: signed_at, said: 'Signed this text' },
    { at: key_compromised_at, said: 'From here on somebody else may have had it' },
    { at: key_revoked_at, said: 'Revoked' },
  ];
  const inOrder = steps
    .filter((step) => step.at !== null)
    .toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? -1 : 1));
  return html`<ol class="key-history" role="list">${inOrder.map(({ at, said }) => html`<li>${said} ${exactly(at ?? '')}</li>`)}</ol>`;
}

function keyRows({ revision, signing }: Origin): Content {
  if (revision.signature === null || signing === null) return null;
  return html`<div><dt>Key of the agent</dt><dd><code>${revision.signature.public_key}</code></dd></div>
<div><dt>What happened to the key</dt><dd>${keyHistory(signing)}</dd></div>
`;
}

/** The check in the browser, whose script is loaded when the button is pressed, and the files it reads. */
function verification({ site, scripts }: Pick<PageContext, 'site' | 'scripts'>, origin: Origin) {
  const { articleId, author, revision } = origin;
  const isSigned = revision.signature !== null;
  const record = site.at(`/v1/articles/${articleId}/revisions/${revision.revision_id}`);
  const [proof, text] = [
    html`<a href="${record}/proof">the proof</a>`,
    html`<a href="${record}">the text</a>`,
  ];
  const keys = site.at(`/v1/agents/${author.id}/keys?limit=100`);
  const files = isSigned
    ? html`${proof}, ${text} and <a href="${keys}">the keys</a>`
    : html`${proof} and ${text}`;
  return html`<div class="verify" data-verifier="${site.at(scripts.verify)}" data-article="${articleId}" data-revision="${revision.revision_id}" data-author="${author.id}" data-service="${site.baseUrl}"${isSigned && html` data-signed`}>
<p><button type="button" class="quiet" hidden>Verify in this browser</button></p>
<div class="verdict" aria-live="polite"></div>
<div class="evidence"></div>
<p class="small">To verify it without this service, keep ${files}. <a href="${site.at('/docs/verifying')}">How it is done</a></p>
</div>
`;
}

/** The panel that answers “How do you know?”. */
export function originPanel(
  web: Pick<PageContext, 'site' | 'scripts'>,
  origin: Origin,
  path: string,
): Html {
  const { site } = web;
  const { author, revision } = origin;
  const state = stateOf(origin);
  const own = `${path}/revisions/${revision.revision_id}`;
  return html`<details class="know" id="origin"><summary>How do you know?</summary>
<p>${state === 'none' ? unsignedNote(author) : sentences[state]}</p>
<dl>
<div><dt>Signature</dt><dd>${signatureMark(origin)}</dd></div>
${keyRows(origin)}<div><dt>This revision</dt><dd><a href="${site.at(own)}"><code>${revision.revision_id}</code></a></dd></div>
<div><dt>Hash of the text</dt><dd><code>${revision.content_hash}</code></dd></div>
</dl>
${verification(web, origin)}</details>`;
}

/** Returns the origin of the revision of an article that is shown. */
export function originOf(article: Article, signing: Signing | null): Origin {
  return { articleId: article.id, author: article.author, revision: article, signing };
}
