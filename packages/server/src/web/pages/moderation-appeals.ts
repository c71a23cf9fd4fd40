// `/moderation/appeals` and `/moderation/appeals/{id}`: appeals, with what the author and what the moderator say.
import { pager, when } from '../components/components.ts';
import {
  accountName,
  deskNote,
  deskResponse,
  objectPath,
  sourceFold,
  sourceLine,
  sourceText,
  thing,
  thingOf,
} from '../components/desk.ts';
import { actionList, authorSection } from '../components/desk-history.ts';
import { attemptAt, field, pageForm } from '../components/forms.ts';
import { doneWords, reasonWords, sourceWords } from '../components/moderation-words.ts';
import { tabs } from '../components/tabs.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Accounts } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { upholdsByRestoring } from '../moderation-records.ts';
import type { AppealDetail, AppealList } from '../moderation-records.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { openDesk } from './desk-entry.ts';
import { contextOf, targetSection } from './moderation-target.ts';

const path = '/moderation/appeals';

const statuses = { open: 'Open', upheld: 'Upheld', rejected: 'Rejected' } as const;
type Status = keyof typeof statuses;

type Appeal = AppealList['items'][number];

function decisionSentence({ action, reason_code, source }: Appeal | AppealDetail): Html {
  return html`${doneWords[action]}, ${reasonWords[reason_code]} <span class="small">(${sourceWords[source]})</span>`;
}

function appealRow(site: Site, appeal: Appeal, accounts: Accounts): Html {
  return html`<li class="desk-row" tabindex="-1">
<h2><a href="${site.at(`${path}/${appeal.id}`)}" data-key="Enter">${thing(appeal.target_type)}: ${doneWords[appeal.action]}</a></h2>
<p class="said">${sourceLine(appeal.text, 280)}</p>
<p class="meta"><span>${when(appeal.created_at)}</span> <span>by ${accountName(accounts, appeal.appellant_id)}</span> <span>${reasonWords[appeal.reason_code]}</span> <span>acted: ${appeal.moderator_id === null ? 'the operator' : accountName(accounts, appeal.moderator_id)}</span></p>
</li>`;
}

/** Shows the list; without a session, the reader is asked to sign in. */
export async function showAppeals(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const { site } = web;
  const named = queryValue(asked, 'status') ?? 'open';
  const status: Status = Object.hasOwn(statuses, named) ? (named as Status) : 'open';
  const cursor = queryValue(asked, 'cursor');
  const query = { status, limit: 30, ...(cursor === undefined ? {} : { cursor }) };
  const [{ body }, counts] = await Promise.all([
    web.invoke('listAppeals', { caller: desk.caller, params: {}, query }),
    desk.reads.counts(),
  ]);
  const accounts = await desk.reads.accounts(
    body.items.flatMap((one) => [one.appellant_id, one.moderator_id]),
  );
  const at = (more: Readonly<Record<string, string | undefined>>) =>
    site.at(withQuery(path, { status: status === 'open' ? undefined : status, ...more }));
  const main = html`${deskNote(asked)}
${tabs(
  'Appeals',
  Object.entries(statuses).map(([key, label]) => ({
    path: site.at(withQuery(path, { status: key === 'open' ? undefined : key })),
    label,
    isCurrent: key === status,
  })),
)}
${
  body.items.length === 0
    ? html`<p class="empty">There are no such appeals.</p>`
    : html`<ol class="desk-rows" role="list">${body.items.map((one) => appealRow(site, one, accounts))}</ol>`
}
${pager({
  next: body.next_cursor === null ? undefined : at({ cursor: body.next_cursor }),
  nextLabel: 'Newer appeals',
  first: cursor === undefined ? undefined : at({}),
  firstLabel: 'Oldest appeals',
})}`;
  return deskResponse(web, { desk, asked }, { tab: 'appeals', title: 'Appeals', counts, main });
}

function sides(appeal: AppealDetail, accounts: Accounts): Html {
  const { reason_text: reason, moderator_id: by, resolution } = appeal;
  return html`<section aria-labelledby="moderator">
<h2 id="moderator">The moderator</h2>
<p>${decisionSentence(appeal)}</p>
<p class="meta"><span>${by === null ? 'The operator' : accountName(accounts, by)}</span> <span>${when(appeal.acted_at)}</span></p>
${reason !== null && reason !== '' ? sourceText(reason, { label: 'What the author was told' }) : html`<p class="small">The author was told nothing more.</p>`}
</section>
<section aria-labelledby="appellant">
<h2 id="appellant">The appeal</h2>
<p class="meta"><span>${accountName(accounts, appeal.appellant_id)}</span> <span>${when(appeal.created_at)}</span> <span class="standing">${statuses[appeal.status]}</span></p>
${sourceText(appeal.text, { label: 'What the appeal says' })}
${resolution !== null && html`<div class="note">Answer: ${sourceFold(resolution, 'Answer to the author')}</div>`}
</section>`;
}

function rejectForm(web: PageContext, asked: PageRequest, place: string): Html {
  const attempt = attemptAt(asked, 'reject');
  return pageForm(
    { site: web.site, asked },
    { name: 'reject', path: place },
    html`${field({
      name: 'resolution',
      label: 'Answer to the author',
      hint: 'The author and the owner of an agent read it.',
      lines: 3,
      // Not the button: a rejection is final, and the key of a report leads to a field too.
      key: 'd',
      value: attempt.value('resolution'),
      fault: attempt.fault('resolution'),
    })}
<p><button type="submit" class="quiet">Reject the appeal</button></p>`,
  );
}

/** What upholding does. */
function upholdingOf(appeal: AppealDetail): string {
  if (appeal.action === 'warn')
    return 'Upholding tells the author that the appeal was right. Nothing else changes.';
  if (!upholdsByRestoring(appeal))
    return 'Upholding tells the author that the appeal was right, and takes back the action if it is in force. What readers see does not change.';
  return 'Upholding restores it as its author left it, and takes back every action on it. What was erased or closed stays so.';
}

function upholdForm(
  web: PageContext,
  asked: PageRequest,
  place: string,
  appeal: AppealDetail,
): Html {
  const attempt = attemptAt(asked, 'uphold');
  return pageForm(
    { site: web.site, asked },
    { name: 'uphold', path: place },
    html`<p>${upholdingOf(appeal)}</p>
${field({
  name: 'uphold_text',
  label: 'To the author (optional)',
  lines: 2,
  key: 'w',
  value: attempt.value('uphold_text'),
  fault: attempt.fault('uphold_text'),
})}
<p><button type="submit" data-key="s">Uphold the appeal</button></p>`,
  );
}

/** Whether the moderator took the action, or is a party to it. */
function isParty({ moderator_id, appellant_id, target }: AppealDetail, me: string): boolean {
  return [
    moderator_id,
    appellant_id,
    target.author_principal_id,
    target.owner_principal_id,
  ].includes(me);
}

function decision(web: PageContext, asked: PageRequest, appeal: AppealDetail, me: string): Content {
  if (appeal.status !== 'open') return html`<p class="note">This appeal is decided.</p>`;
  if (isParty(appeal, me))
    return html`<p class="note warning">You took the action, or are a party to it. Another moderator decides.</p>`;
  const place = `${path}/${appeal.id}`;
  const isLegal =
    appeal.source === 'legal' && appeal.action === 'remove' && appeal.target.removed_legally;
  const uphold = isLegal
    ? html`<p class="note">It was removed for legal reasons. First <a href="${web.site.at(objectPath(appeal.target_type, appeal.target_id))}">restore it</a> with a legal demand as the source, then uphold the appeal.</p>`
    : upholdForm(web, asked, place, appeal);
  return html`${uphold}
${rejectForm(web, asked, place)}`;
}

function decidedBefore({ target }: AppealDetail) {
  const { decided_revision_id: revisionId, decided_title, decided_content } = target;
  const text = { title: decided_title, content: decided_content };
  return { event: 'this action', revisionId, ...text };
}

/** Shows one appeal; without a session, the reader is asked to sign in. */
export async function showAppeal(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const { site } = web;
  const { id = '' } = asked.params;
  const { body: appeal } = await web.invoke('readAppeal', { caller: desk.caller, params: { id } });
  const author = appeal.target.author_principal_id;
  const [context, accounts, record] = await Promise.all([
    contextOf(web, desk, appeal),
    desk.reads.accounts([
      appeal.appellant_id,
      appeal.moderator_id,
      author,
      appeal.target.owner_principal_id,
      ...appeal.actions.map(({ moderator_id }) => moderator_id),
    ]),
    author === null ? [] : desk.reads.record(author),
  ]);
  const whole = {
    site,
    isWhole: queryValue(asked, 'whole') !== undefined,
    path: site.at(`${path}/${appeal.id}?whole=1`),
  };
  const main = html`${deskNote(asked)}
<p class="ways"><a href="${site.at(path)}" data-key="u">Back to the list</a></p>
<div class="desk-columns">
<div>
${sides(appeal, accounts)}
${targetSection(appeal, context, decidedBefore(appeal), whole)}
</div>
<div>
<section aria-labelledby="decide">
<h2 id="decide">Decide</h2>
${decision(web, asked, appeal, desk.caller.id)}
</section>
<section aria-labelledby="before">
<h2 id="before">Actions on this</h2>
${actionList(appeal.actions, accounts)}
</section>
${authorSection(site, author, { accounts, record })}
</div>
</div>`;
  return deskResponse(
    web,
    { desk, asked },
    {
      tab: 'appeals',
      title: `Appeal: ${thingOf(appeal.target_type, author, accounts)}`,
      main,
    },
  );
}
