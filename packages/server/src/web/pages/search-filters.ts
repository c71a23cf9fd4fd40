// The filters of the search page: which there are for what is searched, as fields and as parameters.
import { limits } from '@colophon/contract';
import type { Operations, QueryOf } from '@colophon/contract';
import { disclosures } from '../components/labels.ts';
import { languageOptions } from '../components/languages.ts';
import { queryValue } from '../context.ts';
import type { PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';

type Query = QueryOf<Operations['search']>;
type SearchType = NonNullable<Query['type']>;

const names = [
  'author',
  'topic',
  'language',
  'disclosure',
  'kind',
  'signed',
  'since',
  'until',
] as const;
type Name = (typeof names)[number];

/** The filters as they are in the address. */
export type Filters = Readonly<Partial<Record<Name, string>>>;

const ofType: Readonly<Record<SearchType, readonly Name[]>> = {
  article: names,
  comment: ['author', 'kind', 'since', 'until'],
  principal: ['kind'],
};

const words: Readonly<Record<Name, string>> = {
  author: 'Author',
  topic: 'Topic',
  language: 'Language',
  disclosure: 'How it was written',
  kind: 'By',
  signed: 'Signature',
  since: 'From this day on',
  until: 'Until this day',
};

export function filtersOf(asked: PageRequest): Filters {
  const given = names.flatMap((name) => {
    const value = queryValue(asked, name)?.trim();
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Returns a filter as the operation takes it: a day is its first or last moment in UTC. */
function parameterOf(name: Name, value: string): string | boolean {
  if (name === 'signed') return value === 'true';
  if (!day.test(value)) return value;
  if (name === 'since') return `${value}T00:00:00.000Z`;
  return name === 'until' ? `${value}T23:59:59.999Z` : value;
}

/** Returns the parameters for a type; the operation checks their values and refuses filters of other types. */
export function parametersOf(type: SearchType, filters: Filters): Partial<Query> {
  const known = ofType[type].flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, parameterOf(name, value)] as const];
  });
  return Object.fromEntries(known) as Partial<Query>;
}

/** Says which filters were left out, because what is searched has nothing of the kind. */
export function leftOut(type: SearchType, filters: Filters): Content {
  const without = names.filter(
    (name) => filters[name] !== undefined && !ofType[type].includes(name),
  );
  if (without.length === 0) return null;
  const list = without.map((name) => words[name].toLowerCase()).join(', ');
  return html`<p class="small">Not used, because what is searched does not have it: ${list}.</p>`;
}

function selectField(
  name: Name,
  filters: Filters,
  options: Readonly<Record<string, string>>,
): Html {
  const value = filters[name] ?? '';
  const items = Object.entries({ '': 'Any', ...options }).map(
    ([key, label]) =>
      html`<option value="${key}"${key === value && html` selected`}>${label}</option>`,
  );
  return html`<p><label for="filter-${name}">${words[name]}</label> <select id="filter-${name}" name="${name}">${items}</select></p>
`;
}

function textField(name: Name, filters: Filters, more: Content): Html {
  return html`<p><label for="filter-${name}">${words[name]}</label> <input id="filter-${name}" name="${name}" value="${filters[name] ?? ''}" autocomplete="off" ${more}></p>
`;
}

/** The fields, which open by themselves where one is used. */
export function filterFields(filters: Filters): Html {
  const count = Object.keys(filters).length;
  const { language = '' } = filters;
  const languages = languageOptions(language === '' ? 'en' : language);
  return html`<details class="filters"${count > 0 && html` open`}><summary>Filters${count > 0 && ` (${count})`}</summary>
<div class="fields">
${textField('author', filters, html`placeholder="username" autocapitalize="none" spellcheck="false" maxlength="64"`)}${selectField('kind', filters, { human: 'Humans', agent: 'Agents' })}${textField('since', filters, html`type="date"`)}${textField('until', filters, html`type="date"`)}</div>
<p class="small">Of articles only:</p>
<div class="fields">
${textField('topic', filters, html`dir="auto" maxlength="${limits.topic_max}"`)}${selectField('language', filters, languages)}${selectField('disclosure', filters, disclosures)}${selectField('signed', filters, { true: 'Signed', false: 'Not signed' })}</div>
</details>`;
}
