// `/transparency`: what moderators decided, in public: counts of each month, and a statement of reasons for each action.
import { moderationActions, moderationSources, reasonCodes, targetTypes } from '@colophon/contract';
import { assetPaths } from '../assets.ts';
import { barChart, columnChart } from '../components/charts.ts';
import { pageTitle, pager, when } from '../components/components.ts';
import { formatCount, figure, monthOf } from '../components/labels.ts';
import { doneWords, reasonWords, sourceWords, thingWords } from '../components/moderation-words.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { MonthCounts } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { StatementList, Statistics } from '../moderation-records.ts';
import { withQuery, withoutEmpty } from '../site.ts';
import type { Site } from '../site.ts';

const path = '/transparency';
const monthPattern = /^20\d{2}-(?:0[1-9]|1[0-2])$/;

interface Filters {
  readonly month: string;
  readonly target_type: (typeof targetTypes)[number] | undefined;
  readonly action: (typeof moderationActions)[number] | undefined;
  readonly reason_code: (typeof reasonCodes)[number] | undefined;
  readonly source: (typeof moderationSources)[number] | undefined;
}

/** What is not known is ignored. */
function filtersOf(asked: PageRequest): Filters {
  const month = queryValue(asked, 'month') ?? '';
  return {
    month: monthPattern.test(month) ? month : new Date().toISOString().slice(0, 7),
    target_type: targetTypes.find((one) => one === queryValue(asked, 'target_type')),
    action: moderationActions.find((one) => one === queryValue(asked, 'action')),
    reason_code: reasonCodes.find((one) => one === queryValue(asked, 'reason_code')),
    source: moderationSources.find((one) => one === queryValue(asked, 'source')),
  };
}

/** The last twelve months, also those without an action. */
function year(months: readonly MonthCounts[]): readonly MonthCounts[] {
  const now = new Date();
  const byMonth = new Map(months.map((one) => [one.month, one]));
  return Array.from({ length: 12 }, (_, at) => {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + at, 1));
    const month = day.toISOString().slice(0, 7);
    return byMonth.get(month) ?? { month, actions: 0, appeals: 0, appeals_upheld: 0 };
  });
}

function yearSection(site: Site, months: readonly MonthCounts[]): Html {
  const all = year(months);
  const bars = all.map(({ month, actions, appeals }) => ({
    label: monthOf(month).slice(0, 3),
    value: actions,
    of: appeals,
  }));
  const rows = all.toReversed().map(
    ({ month, actions, appeals, appeals_upheld: upheld }) =>
      html`<tr><th scope="row"><a href="${site.at(withQuery(path, { month }))}">${monthOf(month)}</a></th><td class="number">${figure(actions)}</td><td class="number">${figure(appeals)}</td><td class="number">${figure(upheld)}</td></tr>
`,
  );
  return html`<section aria-labelledby="year">
<h2 id="year">The last twelve months</h2>
${columnChart('Actions of each month; the marked part was appealed. The table below has the numbers.', bars)}
<details><summary>The numbers of each month</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the months"><table class="rows-table"><thead><tr><th scope="col">Month</th><th scope="col" class="number">Actions</th><th scope="col" class="number">Appealed</th><th scope="col" class="number">Appeals upheld</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</details>
</section>`;
}

type Count = Statistics['items'][number];

/** Sums of the actions by one of their properties, the largest first. */
function sums(items: readonly Count[], of: (item: Count) => string) {
  const totals = new Map<string, number>();
  for (const item of items) totals.set(of(item), (totals.get(of(item)) ?? 0) + item.actions);
  return Array.from(totals, ([label, value]) => ({ label, value })).toSorted(
    (one, other) => other.value - one.value,
  );
}

function parts(title: string, id: string, bars: ReturnType<typeof sums>): Content {
  if (bars.length === 0) return null;
  return html`<section aria-labelledby="${id}">
<h3 id="${id}">${title}</h3>
${barChart(`${title}. The table below has the numbers.`, bars)}
<details><summary>The numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Table: ${title}"><table class="rows-table"><tbody>${bars.map(({ label, value }) => html`<tr><th scope="row">${label}</th><td class="number">${figure(value)}</td></tr>`)}</tbody></table></div></details>
</section>`;
}

function total(items: readonly Count[], of: (item: Count) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function monthSection({ url }: Site, { month, items }: Statistics): Html {
  const actions = total(items, (item) => item.actions);
  const appeals = total(items, (item) => item.appeals);
  const upheld = total(items, (item) => item.appeals_upheld);
  const automated = total(items, (item) => (item.automated ? item.actions : 0));
  const csv = url(withQuery('/v1/moderation/statistics', { month, format: 'csv' }));
  return html`<section aria-labelledby="month">
<h2 id="month">${monthOf(month)}</h2>
<p>${formatCount(actions, 'action')}, ${figure(automated)} by a program. ${formatCount(appeals, 'appeal')}, of which ${figure(upheld)} upheld. <a href="${csv}">These counts as CSV</a></p>
${parts(
  'What was done',
  'by-action',
  sums(items, ({ action }) => doneWords[action]),
)}
${parts(
  'Why',
  'by-reason',
  sums(items, ({ reason_code }) => reasonWords[reason_code]),
)}
${parts(
  'What it was about',
  'by-type',
  sums(items, ({ target_type }) => thingWords[target_type]),
)}
${parts(
  'What it followed from',
  'by-source',
  sums(items, ({ source }) => sourceWords[source]),
)}
</section>`;
}

function select(
  name: keyof Filters,
  label: string,
  words: Readonly<Record<string, string>>,
  chosen: string | undefined,
): Html {
  const options = Object.entries({ '': 'All', ...words }).map(
    ([key, text]) =>
      html`<option value="${key}"${key === (chosen ?? '') && html` selected`}>${text}</option>`,
  );
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></div>
`;
}

function filterForm(site: Site, filters: Filters): Html {
  return html`<form class="filters" method="get" action="${site.at(path)}#statements">
<div><label for="month-of">Month</label><input id="month-of" name="month" type="month" required value="${filters.month}"></div>
${select('action', 'What was done', doneWords, filters.action)}${select('reason_code', 'Why', reasonWords, filters.reason_code)}${select('target_type', 'Of what', thingWords, filters.target_type)}${select('source', 'It followed from', sourceWords, filters.source)}<button class="quiet">Filter</button>
</form>`;
}

const appealWords = { open: 'Open', upheld: 'Upheld', rejected: 'Rejected' } as const;

function statementTable({ items }: StatementList): Content {
  if (items.length === 0) return html`<p class="empty">No statement of this month matches.</p>`;
  const rows = items.map(
    (one) =>
      html`<tr id="s-${one.id}"><td>${when(one.created_at)}</td><td>${thingWords[one.target_type]}</td><td>${doneWords[one.action]}</td><td>${reasonWords[one.reason_code]}</td><td>${sourceWords[one.source]}</td><td>${one.appeal === null ? 'None' : appealWords[one.appeal]}</td><td><code>${one.id.slice(0, 12)}…</code></td></tr>
`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of statements"><table class="rows-table">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Done</th><th scope="col">Why</th><th scope="col">Followed from</th><th scope="col">Appeal</th><th scope="col">Statement</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function statementSection(
  site: Site,
  filters: Filters,
  list: StatementList,
  cursor: string | undefined,
): Html {
  const csv = site.url(
    withQuery('/v1/moderation/actions', { ...filters, limit: '100', format: 'csv' }),
  );
  const { next_cursor: next } = list;
  return html`<section aria-labelledby="statements">
<h2 id="statements">Statements of reasons</h2>
<p>One for each action, newest first. A statement names neither the object nor the moderator. Its id is derived from the id of the action, so that the author can find it. <a href="${csv}">These statements as CSV</a></p>
${filterForm(site, filters)}
${statementTable(list)}
${pager({
  next:
    next === null
      ? undefined
      : `${site.at(withQuery(path, { ...filters, cursor: next }))}#statements`,
  nextLabel: 'Older statements',
  first:
    cursor === undefined ? undefined : `${site.at(withQuery(path, { ...filters }))}#statements`,
  firstLabel: 'Newest statements',
})}
</section>`;
}

/** Shows the ledger to everybody. */
export async function showTransparency(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const shorter = withoutEmpty(path, asked.query);
  if (shorter !== undefined) return { elsewhere: shorter, temporary: true };
  const { site } = web;
  const filters = filtersOf(asked);
  const cursor = queryValue(asked, 'cursor');
  const given = Object.fromEntries(
    Object.entries({ ...filters, cursor }).filter(([, value]) => value !== undefined),
  );
  const asking = { caller: null, params: {} };
  const [list, statistics, months] = await Promise.all([
    web.invoke('listModerationStatements', { ...asking, query: { ...given, limit: 50 } }),
    web.invoke('readModerationStatistics', { ...asking, query: { month: filters.month } }),
    web.months(),
  ]);
  const main = html`<header class="intro">
<h1>Transparency</h1>
<p>Every decision of the moderators, in public: what was done, why, and how often an appeal was right.</p>
</header>
${yearSection(site, months)}
${monthSection(site, statistics.body)}
${statementSection(site, filters, list.body, cursor)}`;
  const page = {
    title: pageTitle('Transparency', cursor, list.body.items[0]?.created_at),
    description: 'What moderators decided, with reasons, counts and appeals.',
    canonical: site.url(path),
    noindex: asked.query.size > 0,
    main,
    sheet: assetPaths.desk,
  };
  return pageResponse(web, page, true);
}
