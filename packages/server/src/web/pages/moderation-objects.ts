// `/moderation/objects` and `/moderation/objects/{type}/{id}`: everything moderators did to one object, and an action on it.
import { targetTypes } from '@colophon/contract';
import type { TargetType } from '@colophon/contract';
import { problem } from '#http';
import { isId } from '#lib/id';
import { actForm } from '../components/act-form.ts';
import type { Acting } from '../components/act-form.ts';
import { pager, when } from '../components/components.ts';
import {
  accountName,
  deskNote,
  deskResponse,
  objectPath,
  sourceFold,
  targetState,
  thingOf,
  withCodes,
} from '../components/desk.ts';
import { actionLine, authorSection } from '../components/desk-history.ts';
import { reportStatusWords } from '../components/moderation-words.ts';
import { chosenPair, comparison, diffParameters, viewAsked } from '../components/revisions.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Accounts, Desk, Revised } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { History } from '../moderation-records.ts';
import type { Diff } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { openDesk } from './desk-entry.ts';
import { comparisonPath, ifThere, isAdministrator, ofAdministrator } from './moderation-target.ts';

type Entry = History['items'][number];

/** An id in an address: the last one, because a slug before it may look like one. Usernames are none. */
const idsIn = /(?<![@0-9a-z_])[0-9a-hjkmnp-tv-z]{26}(?![0-9a-z_])/giu;
/** A username by itself, or at the end of the address of a profile. */
const nameIn = /^(?:.*\/@|@)?([0-9a-z_-]+)\/?$/iu;

/** Returns the path of the object with an id, whatever it is; undefined if there is none and never was. */
async function pathOfId(web: PageContext, desk: Desk, id: string): Promise<string | undefined> {
  const found = await Promise.all(
    targetTypes.map((type) => ifThere(readHistory(web, desk, { type, id, cursor: undefined }))),
  );
  const type = targetTypes.find((_, at) => found[at] !== undefined);
  return type === undefined ? undefined : objectPath(type, id);
}

/** Returns the path of what somebody names by an id, an address or a username. */
async function pathOf(web: PageContext, desk: Desk, named: string): Promise<string | undefined> {
  const id = named.match(idsIn)?.at(-1)?.toUpperCase();
  if (id !== undefined && isId(id)) return pathOfId(web, desk, id);
  const [, username = ''] = nameIn.exec(named) ?? [];
  const account = await desk.reads.accountNamed(username);
  return account === undefined ? undefined : objectPath('principal', account);
}

/** Asks for the object; one that is named leads to its page. */
export async function showObjects(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { site } = web;
  const named = (queryValue(asked, 'id') ?? '').trim();
  const found = named === '' ? undefined : await pathOf(web, entry.desk, named);
  if (found !== undefined) return { elsewhere: found, temporary: true };
  const main = html`<form class="filters" method="get" action="${site.at('/moderation/objects')}">
<div><label for="id">Its address, its id, or a username</label>
<input id="id" name="id" required autocomplete="off" autocapitalize="none" spellcheck="false" value="${named}" aria-describedby="id-fault">
<p class="fault" id="id-fault" aria-live="polite">${named !== '' && 'Nothing has this address, id or username. Copy the address of the article, comment or profile from the browser.'}</p></div>
<button class="quiet">Show its history</button>
</form>
<p>The history contains every action and every change of a report on one article, comment, account or file.</p>`;
  return deskResponse(web, { desk: entry.desk, asked }, { tab: 'objects', title: 'History', main });
}

function reportLine(site: Site, { report, created_at: at }: Entry, accounts: Accounts): Content {
  if (report === null) return null;
  const words = report.from === null ? 'Reported' : `Report: ${reportStatusWords[report.to]}`;
  const by = report.moderator_id;
  return html`<a href="${site.at(`/moderation/reports/${report.report_id}`)}">${words}</a> <span class="small">${by !== null && html`by ${accountName(accounts, by)}, `}${when(at)}</span>${report.resolution !== null && html`<br>${sourceFold(report.resolution, 'Note for moderators')}`}`;
}

/** Says at an action or a report that it was about another revision than the one that is published now. */
function revisedLine(
  { site, id, revised }: Shown,
  { action, report, created_at: at }: Entry,
): Content {
  const pair = revised.get(at);
  if (pair === undefined || (action === null && report?.from !== null)) return null;
  return html`<br><span class="small">Readers saw an earlier revision then. <a href="${site.at(comparisonPath(id, pair))}#changes">What has changed since</a></span>`;
}

/** What the history is shown with. */
interface Shown {
  readonly site: Site;
  readonly id: string;
  readonly accounts: Accounts;
  readonly revised: ReadonlyMap<string, Revised>;
}

function historyList({ items }: History, shown: Shown): Content {
  const { site, accounts } = shown;
  if (items.length === 0)
    return html`<p class="empty">No moderator has acted on it, and nobody has reported it.</p>`;
  return html`<ol class="entries" role="list">${items.map(
    (entry) =>
      html`<li>${entry.action === null ? reportLine(site, entry, accounts) : actionLine(entry.action, accounts)}${revisedLine(shown, entry)}</li>`,
  )}</ol>`;
}

/** The history of an object that moderators never touched is empty, and not an error. */
async function readHistory(
  web: PageContext,
  { caller }: Desk,
  { type, id, cursor }: { type: TargetType; id: string; cursor: string | undefined },
): Promise<History> {
  const query = { limit: 50, ...(cursor === undefined ? {} : { cursor }) };
  const params = { target_type: type, target_id: id };
  return (await web.invoke('listModerationHistory', { caller, params, query })).body;
}

function actionForm(
  web: PageContext,
  asked: PageRequest,
  own: Omit<Acting, 'path'> & { readonly isOwn: boolean; readonly isAdmin: boolean },
): Html {
  const { isOwn, isAdmin, ...acting } = own;
  const path = objectPath(acting.type, acting.id);
  const form = isAdmin ? ofAdministrator : actForm(web.site, asked, { ...acting, path });
  const content = isOwn
    ? html`<p class="note warning">It is you or a work that you are accountable for. Another moderator acts on it.</p>`
    : form;
  return html`<section aria-labelledby="decide"><h2 id="decide">Act on it</h2>${content}</section>`;
}

/** Returns the changes with characters that are not shown named, as the desk shows all texts of participants. */
function asSource(diff: Diff): Diff {
  const { title, hunks } = diff;
  return {
    ...diff,
    title: { from: title.from === null ? null : withCodes(title.from), to: withCodes(title.to) },
    hunks: hunks.map((hunk) => ({
      ...hunk,
      lines: hunk.lines.map((line) => ({ ...line, text: withCodes(line.text) })),
    })),
  };
}

/** The comparison of two revisions that the reader asks for, as a moderator may read them. */
async function changesAsked(
  web: PageContext,
  { caller }: Desk,
  asked: PageRequest,
  { type, id }: { readonly type: TargetType; readonly id: string },
): Promise<Content> {
  const pair = type === 'article' ? chosenPair(asked) : undefined;
  if (pair === undefined) return null;
  const input = { params: { id }, query: diffParameters(pair), client: web.client };
  const diff = await ifThere(web.invoke('readDiff', { caller, ...input }));
  if (diff === undefined)
    return html`<p class="note" id="changes">These revisions cannot be compared any more. A report or an appeal on the article shows what readers saw.</p>`;
  const shown = await comparison(web, asSource(diff.body), {
    path: objectPath(type, id),
    view: viewAsked(asked),
  });
  return html`<p><span class="badge">Untrusted source</span></p>
${shown}`;
}

/** Shows one object; without a session, the reader is asked to sign in. */
export async function showObject(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const { site } = web;
  const type = targetTypes.find((one) => one === asked.params['type']);
  const { id = '' } = asked.params;
  if (type === undefined || !isId(id)) throw problem('not-found', 'No object has this address.');
  const cursor = queryValue(asked, 'cursor');
  const [history, target] = await Promise.all([
    readHistory(web, desk, { type, id, cursor }),
    desk.reads.object(type, id),
  ]);
  const author = target.author_principal_id;
  const times = history.items.map(({ created_at: at }) => at);
  const [isAdmin, revised, changes, accounts, record] = await Promise.all([
    isAdministrator(desk, { target_type: type, target_id: id }),
    desk.reads.revisedSince(type, id, times),
    changesAsked(web, desk, asked, { type, id }),
    desk.reads.accounts([
      author,
      target.owner_principal_id,
      ...history.items.flatMap(({ action, report }) => [
        action?.moderator_id ?? null,
        report?.moderator_id ?? null,
      ]),
    ]),
    author === null ? [] : desk.reads.record(author),
  ]);
  const isOwn = [author, target.owner_principal_id].includes(desk.caller.id);
  const next = history.next_cursor;
  const main = html`${deskNote(asked)}
<p class="ways"><a href="${site.at('/moderation/objects')}" data-key="u">Another object</a></p>
${changes}
<div class="desk-columns">
<div>
<section aria-labelledby="history">
<h2 id="history">History</h2>
<p>${targetState(target)} <code>${id}</code></p>
${historyList(history, { site, id, accounts, revised })}
${pager({
  next: next === null ? undefined : site.at(withQuery(objectPath(type, id), { cursor: next })),
  nextLabel: 'Older entries',
  first: cursor === undefined ? undefined : site.at(objectPath(type, id)),
  firstLabel: 'Newest entries',
})}
</section>
</div>
<div>
${target.exists && actionForm(web, asked, { type, id, target, uses: desk.reads.uses(type, target), isOwn, isAdmin })}
${authorSection(site, author, { accounts, record }, type === 'principal' ? 'The account' : 'The author')}
</div>
</div>`;
  return deskResponse(
    web,
    { desk, asked },
    { tab: 'objects', title: `History: ${thingOf(type, author, accounts)}`, main },
  );
}
