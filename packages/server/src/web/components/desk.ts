// The frame of the moderation desk, and what its pages share: texts of participants as source, accounts, states.
import { sessionLimits } from '@colophon/contract';
import type { TargetType } from '@colophon/contract';
import { visibleText } from '@colophon/text/lib/visible-text';
import { wholeCharacters } from '#lib/whole-characters';
import { assetPaths } from '../assets.ts';
import { queryValue } from '../context.ts';
import type { PageContext, PageRequest } from '../context.ts';
import type { Accounts, Desk, DeskAccount, QueueCounts } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { TargetRecord } from '../moderation-records.ts';
import type { Site } from '../site.ts';
import { pageTitle, when } from './components.ts';
import { foldText } from './folded.ts';
import { pageForm } from './forms.ts';
import { figure } from './labels.ts';
import { thingWords } from './moderation-words.ts';
import { tabs } from './tabs.ts';

const countedMost = 1000;

/** Formats a count that is known up to 1,000. */
export function upTo(count: number): string {
  return count > countedMost ? `${figure(countedMost)}+` : figure(count);
}

const places = [
  { key: 'reports', path: '/moderation', label: 'Reports', scope: 'admin:moderate' },
  { key: 'appeals', path: '/moderation/appeals', label: 'Appeals', scope: 'admin:moderate' },
  { key: 'objects', path: '/moderation/objects', label: 'History', scope: 'admin:moderate' },
  { key: 'audit', path: '/moderation/audit', label: 'Audit log', scope: 'admin:manage' },
  { key: 'accounts', path: '/moderation/accounts', label: 'Accounts', scope: 'admin:manage' },
  { key: 'status', path: '/-/status', label: 'Status', scope: 'admin:manage' },
] as const;

export type DeskTab = (typeof places)[number]['key'];

function countOf(key: DeskTab, counts: QueueCounts | undefined): Content {
  if (counts === undefined || (key !== 'reports' && key !== 'appeals')) return null;
  const count = key === 'reports' ? counts.all : counts.appeals;
  return html` <span class="count"${key === 'reports' && html` id="open-count"`}>${upTo(count)}</span>`;
}

/** The tabs of the desk: those that the moderator may open. */
function deskTabs(
  site: Site,
  { caller }: Desk,
  current: DeskTab,
  counts: QueueCounts | undefined,
): Html {
  const list = places
    .filter(({ scope }) => caller.scopes.includes(scope))
    .map(({ key, path, label }) => ({
      path: site.at(path),
      label: html`${label}${countOf(key, counts)}`,
      isCurrent: key === current,
    }));
  return tabs('Moderation', list);
}

/** The desk, and the request for one of its pages. */
export interface DeskRequest {
  readonly desk: Desk;
  readonly asked: PageRequest;
}

export interface DeskPage {
  readonly tab: DeskTab;
  readonly title: string;
  readonly heading?: Content;
  readonly counts?: QueueCounts;
  readonly main: Content;
}

const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['c', 'claim'],
  ['1 … 6', 'choose an action'],
  ['r', 'choose the reason'],
  ['w', 'write to the author'],
  ['s', 'carry out the action, uphold the appeal'],
  ['d', 'close without action, answer and reject the appeal'],
  ['n', 'next open report'],
  ['u', 'back to the list'],
  ['?', 'this list'],
];

/** The list of keys, which a script makes work; without it, every step is a link or a button. */
const keyHelp = html`<details class="desk-keys keys" id="keys">
<summary>Keys</summary>
<dl>${shortcuts.map(([keys, what]) => html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
<p class="small"><kbd>Ctrl</kbd> <kbd>Enter</kbd> in a field sends its form, <kbd>Esc</kbd> leaves the field.</p>
</details>`;

const opening = `open the moderation desk in this browser for ${sessionLimits.desk_check_hours} hours`;

/** Keeps the desk open: the twelve hours begin again. */
export function enterForm(
  { site }: Pick<PageContext, 'site'>,
  asked: PageRequest,
  label: string,
): Html {
  const to = asked.refused?.fields.get('to') ?? asked.request.url;
  return pageForm(
    { site, asked },
    { name: 'enter', path: '/moderation', kind: 'act', confirms: opening },
    html`<input type="hidden" name="to" value="${to}"><button type="submit" class="quiet">${label}</button>`,
  );
}

/** Returns a page of the desk. */
export function deskResponse(
  web: PageContext,
  { desk, asked }: DeskRequest,
  { tab, title, heading, counts, main }: DeskPage,
): ReturnType<typeof pageResponse> {
  const { site } = web;
  const page = {
    title: `${pageTitle(title, queryValue(asked, 'cursor'))} · Moderation`,
    description: '',
    canonical: undefined,
    noindex: true,
    main: html`<div class="desk">
<header class="intro settings">
<h1>${heading ?? title}</h1>
${deskTabs(site, desk, tab, counts)}
</header>
${main}
${keyHelp}
${enterForm(web, asked, `Keep the desk open for ${sessionLimits.desk_check_hours} hours from now`)}
<p class="small">You confirm with your passkey.</p>
</div>`,
    script: web.scripts.desk,
    sheet: assetPaths.desk,
  };
  return pageResponse(web, page, false);
}

interface SourceOptions {
  readonly label: string;
  /** Also what is longer than the usual beginning. */
  readonly isWhole?: boolean;
  /** The path of the page that shows all of it. */
  readonly rest?: string;
  /** The reader wrote it. */
  readonly isOwn?: boolean;
}

const sourceMax = 20_000;
/** Characters that are not shown, and those that change the order of others. */
const unseen = /[\p{Cf}\p{Co}\p{Cn}\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{7F}]/gu;

function codeOf(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
}

/** Returns a text with characters that are not shown named. */
export function withCodes(text: string): string {
  return text.replaceAll(unseen, codeOf);
}

/**
 * A text of a participant as its source: nothing in it is rendered, linked or loaded. Characters that are not shown
 * are named. Only its beginning where it is very long, unless `isWhole`.
 */
export function sourceText(
  text: string,
  { label, isWhole = false, rest, isOwn = false }: SourceOptions,
): Html {
  const isCut = !isWhole && text.length > sourceMax;
  // Not inside a pair of surrogates.
  const shown = isCut ? text.slice(0, sourceMax).replace(/[\uD800-\uDBFF]$/, '') : text;
  const safe = withCodes(shown);
  return html`<figure class="untrusted">
<figcaption>${label} ${!isOwn && html`<span class="badge">Untrusted source</span>`}</figcaption>
<pre dir="auto" tabindex="0" aria-label="${label}">
${safe}</pre>
${isCut && html`<p class="small">The first ${figure(sourceMax)} of ${figure(text.length)} characters.${rest !== undefined && html` <a href="${rest}">Show all</a>`}</p>`}
</figure>`;
}

/** A short text of a participant inside a line, with characters that are not shown named; at most `max` UTF-16 units. */
export function sourceLine(text: string, max = Number.POSITIVE_INFINITY): Html {
  const line = wholeCharacters(text, max).replaceAll(/\s+/g, ' ');
  return html`<bdi class="source">${withCodes(line)}</bdi>`;
}

/** A text of a participant or a moderator in a list, with characters that are not shown named; folded where it is long. */
export function sourceFold(text: string, label: string): Content {
  const line = (part: string) => sourceLine(part);
  return foldText(text, {
    short: line,
    beginning: line,
    whole: (all) => sourceText(all, { label }),
  });
}

/** The name of an account, without a link to what it wrote about itself. */
export function accountName(accounts: Accounts, id: string | null): Content {
  if (id === null) return 'nobody';
  const account = accounts.get(id);
  if (account === undefined) return html`<code>${id}</code>`;
  return html`<span class="handle">@${visibleText(account.username)}</span>${account.kind === 'agent' && ' (agent)'}`;
}

export function objectPath(type: string, id: string): string {
  return `/moderation/objects/${type}/${id}`;
}

type Target = Omit<TargetRecord, 'excerpt'>;

/** The present state of an object, as badges. */
export function targetState(target: Target): Html {
  if (!target.exists) return html`<span class="state">Does not exist</span>`;
  const states = [
    target.visible ? 'Visible' : 'Not visible',
    ...(target.status === null ? [] : [target.status]),
    ...(target.deindexed ? ['not in lists'] : []),
    ...(target.removed_legally ? ['removed for legal reasons'] : []),
  ];
  return html`<span class="states">${states.map((state) => html`<span class="state">${state}</span> `)}</span>`;
}

/** The account that is responsible for what was reported, in numbers. */
export function accountFacts(site: Site, account: DeskAccount, accounts: Accounts): Html {
  const { id, kind, status, trust_level: level, created_at: since, owner_principal_id } = account;
  return html`<p class="meta"><span>${accountName(accounts, id)}</span> <span>${kind === 'agent' ? html`Agent of ${accountName(accounts, owner_principal_id)}` : 'Human'}</span> <span>${status}</span> <span>Trust level ${level}</span> <span>Joined ${when(since)}</span></p>
<p class="small"><a href="${site.at(objectPath('principal', id))}">History of the account, and actions on it</a>${owner_principal_id !== null && html` · <a href="${site.at(objectPath('principal', owner_principal_id))}">of its owner</a>`}</p>`;
}

export function thing(type: TargetType): string {
  return thingWords[type];
}

/** Names an object in the title of its page: what it is, and whose. */
export function thingOf(type: TargetType, authorId: string | null, accounts: Accounts): string {
  const account = accounts.get(authorId ?? '');
  if (account === undefined) return thing(type);
  return `${thing(type)} ${type === 'principal' ? '' : 'by '}@${account.username}`;
}

/** Says what the form before has done. */
export function deskNote({ query }: Pick<PageRequest, 'query'>): Content {
  const key = query.get('done') ?? '';
  return (
    Object.hasOwn(notes, key) &&
    html`<p class="note" id="done" role="status" tabindex="-1">${notes[key]}</p>`
  );
}

const notes: Readonly<Record<string, string>> = {
  acted: 'The action is carried out.',
  'acted-one': 'The action is carried out, and the report is closed.',
  'acted-all': 'The action is carried out, and the report and the others on the same are closed.',
  rejected: 'The report is closed without action.',
  claimed: 'The report is yours for 24 hours.',
  upheld: 'The appeal is upheld.',
  'appeal-rejected': 'The appeal is rejected.',
  trust: 'The trust level is set.',
  granted: 'The token carries the scope now.',
  revoked: 'No token of the account carries an admin scope any more.',
  whole:
    'The audit log is whole: every row has the hash of its content and follows the row before it.',
};
