// Components of forms: a field with its hint and its fault, the place of other faults, recovery codes.
import { randomUUID } from 'node:crypto';
import { limits } from '@colophon/contract';
import { sentenceOf } from '@colophon/text/lib/sentence';
import type { PageRequest } from '../context.ts';
import type { Refused } from '../forms/refused.ts';
import { html, textOf } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { readerOf } from '../readers.ts';
import type { Site } from '../site.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  /**
   * Only for a field of a fixed form, such as a code. A browser counts UTF-16 units and cuts a pasted text
   * without a word; the service counts code points and says how long a text is.
   */
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly focused?: boolean;
  /** The key of the desk that leads to it. */
  readonly key?: string;
  readonly value?: string;
  /** Number of lines; undefined for a single-line field. */
  readonly lines?: number;
  /** What is wrong with it, where the form was refused. */
  readonly fault?: string | undefined;
}

/** The place of what is wrong with a field. */
export function faultBelow(name: string, fault: string | undefined): Html {
  return html`<p class="fault" id="${name}-fault" aria-live="polite">${fault !== undefined && sentenceOf(fault)}</p>`;
}

/** The attribute that gives the focus to the first of several choices, where one of them is missing or wrong. */
export function focusOfFirst(at: number, fault: string | undefined): Content {
  return at === 0 && fault !== undefined && html` autofocus`;
}

/** The attributes of a field that few have. */
function rareOf({ maxLength, key }: Field): Html {
  return html`${maxLength !== undefined && html` maxlength="${maxLength}"`}${key !== undefined && html` data-key="${key}"`}`;
}

/** A field. What is wrong with it appears below it and is read out. */
export function field(own: Field): Html {
  const { name, label, hint, fault, lines, value = '' } = own;
  const attributes = html`id="${name}" name="${name}"${rareOf(own)} dir="auto" aria-describedby="${name}-fault${hint !== undefined && ` ${name}-hint`}"${own.required && html` required`}${own.focused && html` autofocus`}${fault !== undefined && html` aria-invalid="true" autofocus`}`;
  const typed = html`autocomplete="${own.autocomplete ?? 'off'}" autocapitalize="none" spellcheck="false" value="${value}"`;
  // The line break after <textarea> is not part of its text.
  const input =
    lines === undefined
      ? html`<input ${attributes} ${typed}>`
      : html`<textarea ${attributes} rows="${lines}">
${value}</textarea>`;
  return html`<div class="input">
<label for="${name}">${label}</label>
${input}
${hint !== undefined && html`<p class="small" id="${name}-hint">${hint}</p>`}
${faultBelow(name, fault)}
</div>`;
}

/** A choice of one value; each has its words. */
export function choice(own: {
  readonly name: string;
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value?: string;
  readonly fault?: string | undefined;
}): Html {
  const { name, label, options, value, fault } = own;
  return html`<div class="input">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}" aria-describedby="${name}-fault"${fault !== undefined && html` aria-invalid="true" autofocus`}>${Object.entries(
    options,
  ).map(
    ([key, words]) =>
      html`<option value="${key}"${key === value && html` selected`}>${words}</option>`,
  )}</select>
${faultBelow(name, fault)}
</div>`;
}

/** What a form of a page shows of an earlier attempt: one that was refused, or sent to be looked at first. */
export interface Attempt {
  /** What was typed; the given value if the form was not sent. */
  readonly value: (name: string, given?: string) => string;
  /** All values of a field that can be sent several times. */
  readonly all: (name: string) => readonly string[];
  readonly fault: (name: string) => string | undefined;
}

type Sent = Pick<PageRequest, 'refused' | 'draft'>;

/** Returns the earlier attempt at a form of a page, if there was one. */
export function attemptAt({ refused, draft }: Sent, form: string): Attempt {
  const own = [refused, draft].find((one) => one?.name === form);
  const faults = own === refused ? refused?.faults : undefined;
  return {
    value: (name, given = '') => own?.fields.get(name) ?? given,
    all: (name) => own?.fields.getAll(name) ?? [],
    fault: (name) => faults?.get(name),
  };
}

/** Returns the key of the earlier attempt, unless it was used for something else, or a new one. */
function keyOf(refused: Refused | undefined, { draft }: Sent, name: string): string {
  const own = draft?.name === name ? draft : undefined;
  const isSpent = refused?.problem.problem === 'idempotency-key-reuse';
  const key = isSpent ? null : (refused ?? own)?.fields.get('key');
  const isKey = typeof key === 'string' && key.length <= limits.idempotency_key_max;
  return isKey ? key : randomUUID();
}

/** How a script sends a form. */
function marksOf({ isPlain, goesOn, confirms, confirmsField }: OwnForm): Content {
  return [
    isPlain !== true && html` data-live`,
    goesOn === true && html` data-goes-on`,
    confirms !== undefined && html` data-confirms="${confirms}"`,
    confirmsField !== undefined && html` data-confirms-field="${confirmsField}"`,
  ];
}

interface OwnForm {
  readonly name: string;
  readonly path: string;
  readonly kind?: string;
  /** The id of what it is about, where a page has a form for each of several things: its field `item`. */
  readonly item?: string;
  /** A script sends it again until it is done. */
  readonly goesOn?: boolean;
  /** A script of the page sends it, or the browser: it is not sent without a reload. */
  readonly isPlain?: true;
  /** What a passkey confirms where the service asks for it, with its object: `issue the token “{name}”`. */
  readonly confirms?: string;
  /** The field of the form whose value takes the place of its name in braces: `name`. */
  readonly confirmsField?: string;
}

function isAbout(refused: Refused | undefined, { name, item }: OwnForm): refused is Refused {
  return refused?.name === name && (item === undefined || refused.fields.get('item') === item);
}

/** Whose page shows the form: sent after somebody else has signed in, it must not act for them. */
function readerField(request: PageRequest['request']): Content {
  const caller = readerOf(request)?.caller ?? null;
  return caller !== null && html`<input type="hidden" name="reader" value="${caller.id}">`;
}

interface FormPlace {
  readonly site: Site;
  readonly asked: Sent & Pick<PageRequest, 'request'>;
}

/**
 * A form that is sent to a page, with an Idempotency-Key: sent twice, it acts once. `path` is the path of the
 * page, with its query.
 */
export function pageForm({ site, asked }: FormPlace, own: OwnForm, content: Content): Html {
  const { name, path, kind = 'form', item } = own;
  const refused = isAbout(asked.refused, own) ? asked.refused : undefined;
  const shown = textOf(html`${content}`);
  // A fault of no field in particular is named ''; one of a hidden field has no place of its own.
  const isBeside = (name: string) => shown.includes(`id="${name}-fault"`);
  const isGeneral =
    refused !== undefined &&
    (refused.faults.size === 0 || ![...refused.faults.keys()].every(isBeside));
  const general = isGeneral && refused.problem.message;
  const separator = path.includes('?') ? '&' : '?';
  return html`<form class="${kind}" method="post" action="${site.at(path)}${separator}form=${name}"${marksOf(own)}>
<input type="hidden" name="key" value="${keyOf(refused, asked, name)}">${readerField(asked.request)}${item !== undefined && html`<input type="hidden" name="item" value="${item}">`}
${content}
<p class="fault" role="alert">${general}</p>
</form>`;
}

/** Where a form says what went wrong. */
export const formFault = html`<p class="fault" role="alert"></p>`;

/** Said where scripts do not run, of what is done by one. */
export function withoutScript(words: string): Html {
  return html`<noscript><p class="note warning">${words} Allow it for this site, and load the page again.</p></noscript>`;
}

/** Said where scripts do not run: a passkey cannot be used without one. */
export function needsScript(what: string): Html {
  return withoutScript(`${what} needs a passkey, and passkeys need JavaScript.`);
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
