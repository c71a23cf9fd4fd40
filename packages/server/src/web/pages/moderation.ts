// `/moderation`: the queue of reports, with filters and counts.
import { reportCategories, targetTypes } from '@colophon/contract';
import { pager, when } from '../components/components.ts';
import {
  accountName,
  deskNote,
  deskResponse,
  sourceLine,
  thing,
  upTo,
} from '../components/desk.ts';
import { pageForm } from '../components/forms.ts';
import { categoryWords, reportStatusWords, thingWords } from '../components/moderation-words.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Accounts, Desk, QueueCounts } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { ReportList } from '../moderation-records.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { openDesk } from './desk-entry.ts';

type Report = ReportList['items'][number];

/** What can be shown: each is a status of the operation, or the reports that the moderator has claimed. */
const shows = {
  open: { words: 'Open', query: { status: 'open' } },
  mine: { words: 'Claimed by me', query: { claimed_by: 'me' } },
  reviewing: { words: 'Claimed', query: { status: 'reviewing' } },
  actioned: { words: reportStatusWords.actioned, query: { status: 'actioned' } },
  rejected: { words: reportStatusWords.rejected, query: { status: 'rejected' } },
  all: { words: 'All', query: {} },
} as const;

type Show = keyof typeof shows;

/** The filters of the queue, as far as they are known. */
export interface QueueFilters {
  readonly show: Show;
  readonly category: Report['category'] | undefined;
  readonly type: Report['target_type'] | undefined;
}

export function filtersOf(asked: Pick<PageRequest, 'query' | 'params' | 'request'>): QueueFilters {
  const show = queryValue(asked, 'show') ?? 'open';
  return {
    show: Object.hasOwn(shows, show) ? (show as Show) : 'open',
    category: reportCategories.find((one) => one === queryValue(asked, 'category')),
    type: targetTypes.find((one) => one === queryValue(asked, 'type')),
  };
}

/** The filters as they stand in an address. */
export function queryOf({ show, category, type }: QueueFilters) {
  return { show: show === 'open' ? undefined : show, category, type };
}

function select(
  name: string,
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  chosen: string,
): Html {
  return html`<div><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${options.map(
    ([value, words]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select></div>`;
}

const withCount = (words: string, count: number | undefined) => `${words} (${upTo(count ?? 0)})`;

/** The filters as a form that is read again when it is sent. */
function filterForm(site: Site, filters: QueueFilters, counts: QueueCounts): Html {
  const { show, category = '', type = '' } = filters;
  const numbers: Readonly<Partial<Record<string, number>>> = {
    open: counts.all,
    mine: counts.mine,
  };
  return html`<form class="filters" method="get" action="${site.at('/moderation')}" data-live>
${select(
  'show',
  'Show',
  Object.entries(shows).map(([key, { words }]) => {
    const number = numbers[key];
    return [key, number === undefined ? words : withCount(words, number)] as const;
  }),
  show,
)}
${select(
  'category',
  'Category',
  [
    ['', 'Every category'],
    ...reportCategories.map(
      (key) => [key, withCount(categoryWords[key], counts.categories.get(key))] as const,
    ),
  ],
  category,
)}
${select(
  'type',
  'Of what',
  [
    ['', 'Everything'],
    ...targetTypes.map((key) => [key, withCount(thingWords[key], counts.types.get(key))] as const),
  ],
  type,
)}
<button class="quiet">Filter</button>
</form>`;
}

/** Who works on a report. A script keeps it up to date. */
export function stateOfReport(
  { id, status, claimed_by }: Pick<Report, 'id' | 'status' | 'claimed_by'>,
  accounts: Accounts,
): Html {
  return html`<span class="standing ${status}" data-standing="${id}">${reportStatusWords[status]}${claimed_by !== null && html` by ${accountName(accounts, claimed_by)}`}</span>`;
}

interface Row {
  readonly place: { readonly site: Site; readonly asked: PageRequest };
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly accounts: Accounts;
}

function claimForm({ place, path }: Row, { id, status }: Report): Content {
  if (status !== 'open') return null;
  return pageForm(
    place,
    { name: 'claim', path, kind: 'act', item: id },
    html`<button class="quiet" data-key="c">Claim<span class="hidden"> this report</span></button>`,
  );
}

/** Says what was reported and whose it is, so that its author is not taken for the reporter. */
function subjectOf({ target_type: type, target }: Report, accounts: Accounts): Html {
  const { author_principal_id: author } = target;
  const by = type === 'principal' ? ' ' : ' by ';
  return html`${thing(type).toLowerCase()}${author !== null && html`${by}${accountName(accounts, author)}`}`;
}

function reportRow(row: Row, report: Report): Html {
  const { target, accounts } = { ...report, ...row };
  const path = row.place.site.at(withQuery(`/moderation/reports/${report.id}`, row.query));
  const about = target.excerpt ?? '';
  return html`<li class="desk-row" tabindex="-1">
<h2><a href="${path}" data-key="Enter">${categoryWords[report.category]}: ${subjectOf(report, accounts)}</a></h2>
<p class="about">${about === '' ? html`<span class="small">${target.exists ? 'Without a text' : 'It does not exist'}</span>` : sourceLine(about)}</p>
${report.details !== null && report.details !== '' && html`<p class="said"><span class="hidden">The report says: </span>${sourceLine(report.details, 280)}</p>`}
<p class="meta"><span>${when(report.created_at)}</span> <span>${target.visible ? 'visible' : 'not visible'}</span> ${stateOfReport(report, accounts)}</p>
${claimForm(row, report)}
</li>`;
}

const none: Readonly<Record<Show, string>> = {
  open: 'No report is open.',
  mine: 'You have claimed no report.',
  reviewing: 'No report is claimed.',
  actioned: 'No report was closed with an action.',
  rejected: 'No report was closed without action.',
  all: 'There are no reports.',
};

function list(row: Row, { items }: ReportList, show: Show): Content {
  if (items.length === 0) return html`<p class="empty">${none[show]}</p>`;
  return html`<ol class="desk-rows" role="list">${items.map((item) => reportRow(row, item))}</ol>`;
}

interface Queue {
  readonly desk: Desk;
  readonly filters: QueueFilters;
  readonly cursor: string | undefined;
}

async function readQueue(web: PageContext, { desk, filters, cursor }: Queue) {
  const { category, type, show } = filters;
  const query = {
    ...shows[show].query,
    limit: 30,
    ...(category === undefined ? {} : { category }),
    ...(type === undefined ? {} : { target_type: type }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const [{ body }, counts] = await Promise.all([
    web.invoke('listReports', { caller: desk.caller, params: {}, query }),
    desk.reads.counts(),
  ]);
  const accounts = await desk.reads.accounts(
    body.items.flatMap(({ claimed_by, target }) => [claimed_by, target.author_principal_id]),
  );
  return { body, counts, accounts };
}

/** Shows the queue; without a session, the reader is asked to sign in. */
export async function showModeration(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const { site } = web;
  const filters = filtersOf(asked);
  const cursor = queryValue(asked, 'cursor');
  const { body, counts, accounts } = await readQueue(web, { desk, filters, cursor });
  const query = queryOf(filters);
  const path = withQuery('/moderation', { ...query, cursor });
  const main = html`${deskNote(asked)}
${filterForm(site, filters, counts)}
<section aria-label="Reports" data-queue>
${list({ place: { site, asked }, path, query, accounts }, body, filters.show)}
${pager({
  next:
    body.next_cursor === null
      ? undefined
      : site.at(withQuery('/moderation', { ...query, cursor: body.next_cursor })),
  nextLabel: filters.show === 'open' ? 'Newer reports' : 'Older reports',
  first: cursor === undefined ? undefined : site.at(withQuery('/moderation', query)),
  firstLabel: 'First page',
})}
</section>`;
  return deskResponse(web, { desk, asked }, { tab: 'reports', title: 'Reports', counts, main });
}
