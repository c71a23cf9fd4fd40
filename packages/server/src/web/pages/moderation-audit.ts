// `/moderation/audit`: the audit log with filters, and the check of its chain.
import { isId } from '#lib/id';
import { exactly, pager } from '../components/components.ts';
import { accountName, deskNote, deskResponse, objectPath, sourceLine } from '../components/desk.ts';
import { attemptAt, pageForm } from '../components/forms.ts';
import { figure } from '../components/labels.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Accounts, Desk } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { AuditList } from '../moderation-records.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { openDesk } from './desk-entry.ts';

const path = '/moderation/audit';
const filterNames = ['actor', 'action', 'target_type', 'target_id'] as const;
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const labels = {
  actor: 'Who (id, username or operator)',
  action: 'Action',
  target_type: 'Of what',
  target_id: 'Id of the object',
} as const;

function filtersOf(asked: PageRequest): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = queryValue(asked, name)?.trim();
      return value === undefined || value === '' ? [] : [[name, value.slice(0, 64)]];
    }),
  );
}

/** Names of people are turned into ids, which the log contains. */
async function resolveNames(desk: Desk, filters: Filters): Promise<Filters> {
  const { actor } = filters;
  if (actor === undefined || actor === 'operator') return filters;
  const id = await desk.reads.accountNamed(actor.replace(/^@/, ''));
  return id === undefined ? filters : { ...filters, actor: id };
}

function filterForm(site: Site, filters: Filters): Html {
  return html`<form class="filters" method="get" action="${site.at(path)}" data-live>
${filterNames.map(
  (
    name,
  ) => html`<div><label for="${name}">${labels[name]}</label><input id="${name}" name="${name}" maxlength="64" autocomplete="off" spellcheck="false" value="${filters[name] ?? ''}"></div>
`,
)}
<button class="quiet">Filter</button>
</form>`;
}

type Row = AuditList['items'][number];

function isObject(type: string): boolean {
  return ['article', 'comment', 'principal', 'media'].includes(type);
}

function auditRow(site: Site, desk: Desk, row: Row, accounts: Accounts): Html {
  const { number, actor, action, target_type: type, target_id: id } = row;
  const target =
    isObject(type) && isId(id)
      ? html`<a href="${site.at(objectPath(type, id))}">${type} <code>${id}</code></a>`
      : html`${type} <code>${sourceLine(id)}</code>`;
  const isIntact = desk.reads.isIntact(row);
  return html`<tr${!isIntact && html` class="broken"`}>
<td>${number}</td><td>${exactly(row.created_at)}</td><td>${actor === 'operator' ? 'operator' : accountName(accounts, actor)}</td><td class="word">${sourceLine(action)}</td><td>${target}</td><td><details><summary>${isIntact ? 'Details' : 'Altered!'}</summary><pre class="source" dir="auto">${JSON.stringify(row.details, null, 1)}</pre><p class="small">Hash <code>${row.hash}</code>, after <code>${row.previous_hash}</code></p></details></td>
</tr>`;
}

function table(site: Site, desk: Desk, items: readonly Row[], accounts: Accounts): Content {
  if (items.length === 0) return html`<p class="empty">No row of the log matches.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Rows of the audit log"><table class="rows-table">
<thead><tr><th scope="col">Row</th><th scope="col">When</th><th scope="col">Who</th><th scope="col">Action</th><th scope="col">Object</th><th scope="col">More</th></tr></thead>
<tbody>${items.map((row) => auditRow(site, desk, row, accounts))}</tbody>
</table></div>`;
}

/** The check of the whole log: a piece with each form, which a script sends until the end. */
function checkForm(site: Site, asked: PageRequest): Html {
  const attempt = attemptAt(asked, 'check');
  const after = attempt.value('after');
  const [number = ''] = after.split(':');
  const isUnderWay = asked.draft?.name === 'check' && number !== '';
  const last = Math.max(Number(number), Number(attempt.value('last')));
  const progress = isUnderWay
    ? html`<p class="small" id="check" role="status">Rows 1 to ${figure(Number(number))} of ${figure(last)} are as they were written. <progress max="${last}" value="${number}" aria-label="Checked rows"></progress></p><input type="hidden" name="after" value="${after}">`
    : null;
  return pageForm(
    { site, asked },
    { name: 'check', path, kind: 'act', goesOn: isUnderWay },
    html`${progress}<button class="quiet">${isUnderWay ? 'Go on' : 'Check the whole log'}</button>`,
  );
}

/** Shows the log; without a session, the reader is asked to sign in. */
export async function showAudit(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked, 'admin:manage');
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const { site } = web;
  const filters = filtersOf(asked);
  const cursor = queryValue(asked, 'cursor');
  const found = await resolveNames(desk, filters);
  const query = { limit: 50, ...found, ...(cursor === undefined ? {} : { cursor }) };
  const { body } = await web.invoke('listAudit', { caller: desk.caller, params: {}, query });
  const accounts = await desk.reads.accounts(
    body.items.flatMap(({ actor }) => (actor === 'operator' ? [] : [actor])),
  );
  const main = html`${deskNote(asked)}
${filterForm(site, filters)}
${checkForm(site, asked)}
<p class="small">Every row below was checked against its own hash. The check of the whole log follows every row from the first one to the last. Only a hash that is stored elsewhere reveals a log that was rewritten as a whole: <code>verify-audit</code> on the command line prints it.</p>
${table(site, desk, body.items, accounts)}
${pager({
  next:
    body.next_cursor === null
      ? undefined
      : site.at(withQuery(path, { ...filters, cursor: body.next_cursor })),
  nextLabel: 'Older rows',
  first: cursor === undefined ? undefined : site.at(withQuery(path, filters)),
  firstLabel: 'Newest rows',
})}`;
  return deskResponse(web, { desk, asked }, { tab: 'audit', title: 'Audit log', main });
}
