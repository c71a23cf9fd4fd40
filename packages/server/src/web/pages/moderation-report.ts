// `/moderation/reports/{id}`: a report, what it is about, what was done before, and the forms that decide it.
import { actForm } from '../components/act-form.ts';
import { when } from '../components/components.ts';
import {
  accountName,
  deskNote,
  deskResponse,
  objectPath,
  sourceFold,
  sourceLine,
  sourceText,
  thingOf,
} from '../components/desk.ts';
import { actionList, authorSection } from '../components/desk-history.ts';
import { attemptAt, field, pageForm } from '../components/forms.ts';
import { categoryWords } from '../components/moderation-words.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Accounts, ActionUses, Desk } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { ReportDetail } from '../moderation-records.ts';
import { withQuery } from '../site.ts';
import { openDesk } from './desk-entry.ts';
import { contextOf, isAdministrator, ofAdministrator, targetSection } from './moderation-target.ts';
import { filtersOf, queryOf, stateOfReport } from './moderation.ts';

type Other = ReportDetail['other_reports'][number];

/** The account of the moderator, and the names of all accounts that the page shows. */
interface Names {
  readonly me: string;
  readonly accounts: Accounts;
}

/** The record of a report about its reader has neither reporter nor contact, even if the reporter has an account. */
function reporterOf(
  report: Pick<Other, 'reporter_principal_id' | 'reporter_contact'>,
  accounts: Accounts,
  isWithheld: boolean,
): Html {
  if (isWithheld) return html`Withheld: the report is about you.`;
  const { reporter_principal_id: id, reporter_contact: contact } = report;
  return html`Reported by ${id === null ? 'somebody without an account' : accountName(accounts, id)}${contact !== null && contact !== '' && html` (${sourceLine(contact)})`}`;
}

function reportSection(report: ReportDetail, { me, accounts }: Names): Html {
  const { category, details, created_at: at, resolution } = report;
  return html`<section aria-labelledby="report">
<h2 id="report">The report</h2>
<p class="meta"><span>${categoryWords[category]}</span> <span>${reporterOf(report, accounts, isOwn(report, me))}</span> <span>${when(at)}</span> ${stateOfReport(report, accounts)}</p>
${details !== null && details !== '' ? sourceText(details, { label: 'What the report says' }) : html`<p class="small">It says nothing more.</p>`}
${resolution !== null && html`<div class="note">Note of the moderator: ${sourceFold(resolution, 'Note of the moderator')}</div>`}
</section>`;
}

interface OtherReports {
  readonly accounts: Accounts;
  readonly isWithheld: boolean;
}

function otherRow(web: PageContext, one: Other, { accounts, isWithheld }: OtherReports): Html {
  const { details } = one;
  return html`<li><a href="${web.site.at(`/moderation/reports/${one.id}`)}">${categoryWords[one.category]}</a> <span class="small">${reporterOf(one, accounts, isWithheld)}${isWithheld ? ' ' : ', '}${when(one.created_at)}</span> ${stateOfReport(one, accounts)}${details !== null && details !== '' && html`<br>${sourceLine(details, 280)}`}</li>`;
}

function others(web: PageContext, report: ReportDetail, { me, accounts }: Names): Content {
  const { other_reports: list } = report;
  if (list.length === 0) return null;
  const shown = { accounts, isWithheld: isOwn(report, me) };
  return html`<section aria-labelledby="others">
<h2 id="others">Other reports on the same</h2>
<ul class="plain">${list.map((one) => otherRow(web, one, shown))}</ul>
</section>`;
}

/** A report is about the moderator, or a work that the moderator is accountable for. */
function isOwn({ target }: Pick<ReportDetail, 'target'>, id: string): boolean {
  return target.author_principal_id === id || target.owner_principal_id === id;
}

function rejectForm(web: PageContext, asked: PageRequest, path: string): Html {
  const attempt = attemptAt(asked, 'reject');
  return html`<details class="new" id="reject"${asked.refused?.name === 'reject' && html` open`}>
<summary data-key="d">Close without action</summary>
${pageForm(
  { site: web.site, asked },
  { name: 'reject', path },
  html`${field({
    name: 'resolution',
    label: 'Note for moderators (optional)',
    hint: 'Who reported it learns that no action was taken, and not this note.',
    lines: 2,
    value: attempt.value('resolution'),
    fault: attempt.fault('resolution'),
  })}
<p><button type="submit" class="quiet">Close the report</button></p>`,
)}
</details>`;
}

interface Deciding {
  readonly me: string;
  readonly path: string;
  readonly accounts: Accounts;
  /** The report is about an administrator. */
  readonly isAdmin: boolean;
  /** Other reports on the same that the action can close too: also those that the page does not list. */
  readonly others: number;
  readonly uses: ActionUses;
}

/** Why the moderator cannot decide; undefined if nothing stands against it. */
function obstacle(report: ReportDetail, { me, accounts }: Deciding): Content {
  if (report.status === 'actioned' || report.status === 'rejected')
    return html`<p class="note">This report is closed.</p>`;
  if (isOwn(report, me))
    return html`<p class="note warning">The report is about you or a work that you are accountable for. Another moderator decides it.</p>`;
  if (report.status === 'reviewing' && report.claimed_by !== me)
    return html`<p class="note warning">${accountName(accounts, report.claimed_by)} has claimed this report. Take the next one.</p>`;
  return undefined;
}

/** The form of the action, or why there is none. */
function actionForm(
  web: PageContext,
  asked: PageRequest,
  report: ReportDetail,
  { path, isAdmin, others: count, uses }: Deciding,
): Html {
  const { id, category, target_type: type, target_id: targetId, target } = report;
  if (!target.exists) return html`<p class="note">There is nothing to act on.</p>`;
  if (isAdmin) return ofAdministrator;
  const closing = { id, category, others: count };
  return actForm(web.site, asked, { path, type, id: targetId, target, uses, report: closing });
}

/** The forms that decide, for those who may. */
function decision(
  web: PageContext,
  asked: PageRequest,
  report: ReportDetail,
  deciding: Deciding,
): Content {
  const against = obstacle(report, deciding);
  if (against !== undefined) return against;
  const { path } = deciding;
  const claim =
    report.status === 'open' &&
    pageForm(
      { site: web.site, asked },
      { name: 'claim', path, kind: 'act', item: report.id },
      html`<button class="quiet" data-key="c">Claim for 24 hours</button>`,
    );
  return html`${claim}
${actionForm(web, asked, report, deciding)}
${rejectForm(web, asked, path)}`;
}

function idsOf({ target, other_reports: list, actions, ...report }: ReportDetail) {
  return [
    target.author_principal_id,
    target.owner_principal_id,
    report.claimed_by,
    report.reporter_principal_id,
    ...list.flatMap((one) => [one.claimed_by, one.reporter_principal_id]),
    ...actions.map(({ moderator_id }) => moderator_id),
  ];
}

async function readAround(web: PageContext, desk: Desk, report: ReportDetail) {
  const author = report.target.author_principal_id;
  const [isAdmin, context, accounts, record, closable] = await Promise.all([
    isAdministrator(desk, report),
    contextOf(web, desk, report),
    desk.reads.accounts(idsOf(report)),
    author === null ? [] : desk.reads.record(author),
    desk.reads.closableOthers(report),
  ]);
  return { isAdmin, context, accounts, record, closable };
}

function reportedBefore({ target }: ReportDetail) {
  const { reported_revision_id: revisionId, reported_title, reported_content } = target;
  const text = { title: reported_title, content: reported_content };
  return { event: 'this report', revisionId, ...text };
}

/** Who comes back to a report that was decided meanwhile does not read that it was claimed. */
function noteOf(asked: PageRequest, { status }: ReportDetail): Content {
  return (asked.query.get('done') !== 'claimed' || status === 'reviewing') && deskNote(asked);
}

/** Shows the report; without a session, the reader is asked to sign in. */
export async function showModerationReport(
  web: PageContext,
  asked: PageRequest,
): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const { site } = web;
  const { id = '' } = asked.params;
  const { body: report } = await web.invoke('readReport', { caller: desk.caller, params: { id } });
  const { isAdmin, context, accounts, record, closable } = await readAround(web, desk, report);
  const names = { me: desk.caller.id, accounts };
  const query = queryOf(filtersOf(asked));
  const path = withQuery(`/moderation/reports/${report.id}`, query);
  const whole = withQuery(`/moderation/reports/${report.id}`, { ...query, whole: '1' });
  const main = html`${noteOf(asked, report)}
<p class="ways"><a href="${site.at(withQuery('/moderation', query))}" data-key="u">Back to the list</a> <a href="${site.at(withQuery('/moderation/next', { ...query, after: report.id }))}" data-key="n">Next open report</a></p>
<div class="desk-columns" data-report="${report.id}">
<div>
${reportSection(report, names)}
${targetSection(report, context, reportedBefore(report), { site, isWhole: queryValue(asked, 'whole') !== undefined, path: site.at(whole) })}
${others(web, report, names)}
</div>
<div>
<section aria-labelledby="decide">
<h2 id="decide">Decide</h2>
${decision(web, asked, report, { me: desk.caller.id, path, accounts, isAdmin, others: closable, uses: desk.reads.uses(report.target_type, report.target) })}
</section>
<section aria-labelledby="before">
<h2 id="before">Earlier actions on this</h2>
${actionList(report.actions, accounts)}
<p class="small"><a href="${site.at(objectPath(report.target_type, report.target_id))}">Whole history</a></p>
</section>
${authorSection(site, report.target.author_principal_id, { accounts, record })}
</div>
</div>`;
  return deskResponse(
    web,
    { desk, asked },
    {
      tab: 'reports',
      title: `${categoryWords[report.category]}: ${thingOf(report.target_type, report.target.author_principal_id, accounts)}`,
      main,
    },
  );
}

/** Leads to the next open report, or to the list if there is none. */
export async function showNextReport(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const filters = filtersOf(asked);
  const after = queryValue(asked, 'after');
  return { elsewhere: await nextPath(entry.desk, filters, after), temporary: true };
}

/** Returns the path of the next open report after another one; that of the list if there is none. */
export async function nextPath(
  { reads }: Desk,
  filters: ReturnType<typeof filtersOf>,
  after: string | undefined,
  done?: string,
): Promise<string> {
  const { category, type } = filters;
  const next = await reads.next({ after, category, targetType: type });
  const path = next === undefined ? '/moderation' : `/moderation/reports/${next}`;
  const query = { ...queryOf(filters), done };
  return `${withQuery(path, query)}${done === undefined ? '' : '#done'}`;
}
