// Lists of earlier actions on pages of moderation.
import type { Accounts } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { ReportDetail } from '../moderation-records.ts';
import type { Site } from '../site.ts';
import { when } from './components.ts';
import { accountFacts, accountName, objectPath, sourceFold, thing } from './desk.ts';
import { formatCount } from './labels.ts';
import { doneWords, reasonWords, sourceWords } from './moderation-words.ts';

type Action = ReportDetail['actions'][number];

const appealWords = {
  open: 'appealed',
  upheld: 'appeal upheld',
  rejected: 'appeal rejected',
} as const;

/** What was done, why, by whom, and whether it stands. */
export function actionLine(action: Action, accounts: Accounts): Html {
  const { reason_text: text, moderator_id: by, lifted_at: lifted, appeal_status: appeal } = action;
  return html`<strong>${doneWords[action.action]}</strong> ${reasonWords[action.reason_code]} <span class="small">${sourceWords[action.source]}, by ${by === null ? 'the operator' : accountName(accounts, by)}, ${when(action.created_at)}${lifted !== null && html`, reversed ${when(lifted)}`}${appeal !== null && `, ${appealWords[appeal]}`}</span>${text !== null && text !== '' && html`<br>${sourceFold(text, 'To the author')}`}`;
}

/** Actions on one object, newest first. */
export function actionList(actions: readonly Action[], accounts: Accounts): Content {
  if (actions.length === 0) return html`<p class="small">There were none.</p>`;
  return html`<ul class="plain">${actions.map((action) => html`<li>${actionLine(action, accounts)}</li>`)}</ul>`;
}

/** Counts of what was done to an author, in words. */
function summary(record: readonly Action[]): string {
  const groups = Map.groupBy(record, ({ action }) => action);
  return Array.from(
    groups,
    ([action, list]) => `${doneWords[action].toLowerCase()}: ${list.length}`,
  ).join(', ');
}

/** The account that is responsible for an object, with its record; nothing if there is no such account. */
export function authorSection(
  site: Site,
  authorId: string | null,
  { accounts, record }: { readonly accounts: Accounts; readonly record: readonly Action[] },
  title = 'The author',
): Content {
  const account = accounts.get(authorId ?? '');
  if (account === undefined) return null;
  return html`<section aria-labelledby="author"><h2 id="author">${title}</h2>
${accountFacts(site, account, accounts)}
${recordList(site, record)}
</section>`;
}

/** The newest actions on an author's works and account. */
export function recordList(site: Site, record: readonly Action[]): Content {
  if (record.length === 0) return html`<p>No moderator has ever acted on this author.</p>`;
  const inForce = record.filter(
    ({ lifted_at, action }) => lifted_at === null && action !== 'restore',
  );
  const rows = record
    .slice(0, 5)
    .map(
      ({ action, target_type: type, target_id: id, reason_code: reason, created_at: at }) =>
        html`<li><a href="${site.at(objectPath(type, id))}">${doneWords[action]}: ${thing(type)}</a> <span class="small">${reasonWords[reason]}, ${when(at)}</span></li>`,
    );
  return html`<p>${formatCount(record.length, 'action')} in the record, ${inForce.length} in force (${summary(record)}).</p>
<ul class="plain">${rows}</ul>`;
}
