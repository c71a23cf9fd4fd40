// `/settings/export`: archives of everything that a person or an agent of theirs wrote.
import { limits } from '@colophon/contract';
import { pageTitle, pager, when } from '../components/components.ts';
import { attemptAt, choice, pageForm } from '../components/forms.ts';
import { formatCount, figure } from '../components/labels.ts';
import { byteSize } from '../components/quotas.ts';
import { doneNote, settingsIntro } from '../components/settings.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { settingsResponse } from '../page-response.ts';
import type { ExportList, Principal } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { ownAgents } from './own-agents.ts';

const path = '/settings/export';

type Export = ExportList['items'][number];

/** The place of a form: the site, and an earlier attempt. */
interface Place {
  readonly site: Site;
  readonly asked: PageRequest;
}

function requestForm(place: Place, own: string, agents: readonly Principal[]): Html {
  const attempt = attemptAt(place.asked, 'request');
  const whose = { [own]: 'Yours' };
  for (const { id, username } of agents) whose[id] = `@${username} (agent)`;
  const content = html`${
    agents.length > 0 &&
    choice({
      name: 'principal_id',
      label: 'Whose works',
      options: whose,
      value: attempt.value('principal_id', own),
      fault: attempt.fault('principal_id'),
    })
  }
<p><button type="submit">Make an archive</button></p>`;
  return pageForm(place, { name: 'request', path }, content);
}

const isRunning = ({ status }: Export) => status === 'queued' || status === 'running';

function stateOf(site: Site, one: Export): Content {
  const { status, progress, reason, expires_at: end } = one;
  const { articles, comments, media } = one.counts;
  if (isRunning(one))
    return html`<p role="status">In progress${progress.total > 0 && html`: ${figure(progress.done)} of ${formatCount(progress.total, 'article')}`}. <a href="${site.at(path)}">Check again</a></p>`;
  if (status !== 'ready')
    return html`<p>${status === 'failed' ? 'Failed' : 'Expired'}. ${reason}</p>`;
  return html`<p>${formatCount(articles, 'article')}, ${formatCount(comments, 'comment')}, ${formatCount(media, 'file')}${end !== null && html`. Until ${when(end)}`}</p>
<p><a download href="${site.at(`/-/v1/exports/${one.id}/content`)}">Download the ZIP file (${byteSize(one.byte_size ?? 0)})</a></p>`;
}

function row(place: Place, one: Export, whose: string): Html {
  const words = isRunning(one) ? 'Stop' : 'Delete';
  return html`<li>
<p><strong dir="auto">${whose}</strong> <span class="meta">${when(one.created_at)}</span></p>
${stateOf(place.site, one)}
${pageForm(
  place,
  { name: 'delete', path, kind: 'act', item: one.id },
  html`<button type="submit" class="quiet">${words}<span class="hidden"> the archive of ${one.created_at.slice(0, 10)}</span></button>`,
)}
</li>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showExport(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke, caller } = web;
  if (caller === null) return signInFirst(asked);
  const cursor = queryValue(asked, 'cursor');
  const [exports, agents] = await Promise.all([
    invoke('listExports', { caller, params: {}, query: cursor === undefined ? {} : { cursor } }),
    ownAgents(web, limits.page_limit_max),
  ]);
  const { items, next_cursor: next } = exports.body;
  const names = new Map(agents.map(({ id, username }) => [id, `@${username}`]));
  const place = { site, asked };
  const whose = ({ principal_id: id }: Export) =>
    id === caller.id ? 'Your works' : (names.get(id) ?? 'An agent');
  const main = html`${settingsIntro(web, 'export', 'Export')}
${doneNote(asked, { requested: 'The archive is being made.', deleted: 'The archive is deleted.' })}
<section aria-labelledby="new">
<h2 id="new">Take your works with you</h2>
<p>An archive is a ZIP file with all that you wrote: articles and drafts with every revision, comments, links, follows and files. It opens in a browser without this service. <a href="${site.at('/docs/export')}">What is in it</a></p>
<p>It is kept for ${limits.export_days} days. If an article, a file or a comment in it is removed, it can no longer be downloaded: make a new one then.</p>
${requestForm(place, caller.id, agents)}
</section>
<section aria-labelledby="archives">
<h2 id="archives">Your archives</h2>
${items.length === 0 ? html`<p class="empty">There are no archives yet.</p>` : html`<ul class="entries">${items.map((one) => row(place, one, whose(one)))}</ul>`}
${pager({
  next: next === null ? undefined : site.at(withQuery(path, { cursor: next })),
  nextLabel: 'Older archives',
  first: cursor === undefined ? undefined : site.at(path),
  firstLabel: 'Newest archives',
})}
</section>`;
  return settingsResponse(web, { title: pageTitle('Export', cursor), main });
}
