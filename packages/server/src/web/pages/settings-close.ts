// `/settings/close`: closes the account, with what each treatment does to how many works; and `/closed`, the end.
import { limits } from '@colophon/contract';
import type { Treatment } from '@colophon/contract';
import type { Caller } from '#http';
import {
  attemptAt,
  faultBelow,
  field,
  focusOfFirst,
  needsScript,
  pageForm,
} from '../components/forms.ts';
import type { Attempt } from '../components/forms.ts';
import { formatCount, figure } from '../components/labels.ts';
import { settingsIntro } from '../components/settings.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Works } from '../page-services.ts';

type Kind = 'article' | 'draft' | 'comment';

/** The works of an account and its agents in words; '' for a kind of which there are none. */
type Counted = Readonly<Record<Kind, string>>;

/** Where nothing is counted, because the session of a link may not know, or where there is nothing. */
const uncounted: Counted = { article: 'articles', draft: 'drafts', comment: 'comments' };

/** Formats a count with its noun, as it stands after “your”: `one article`, `3 articles`. */
function countWords(count: number, one: string): string {
  if (count === 1) return `one ${one}`;
  const most = limits.counts_max;
  return count > most ? `more than ${figure(most)} ${one}s` : formatCount(count, one);
}

/** Formats a count of an account and its agents: `3 articles (1 by your agents)`; '' for none. */
function total(own: number, ofAgents: number, one: Kind): string {
  const sum = own + ofAgents;
  if (sum === 0) return '';
  const shown = countWords(sum, one);
  if (ofAgents === 0) return shown;
  return `${shown} (${own === 0 ? '' : `${figure(ofAgents)} `}by your agents)`;
}

function countedOf(works: Works | undefined): Counted {
  if (works === undefined || isNothing(works)) return uncounted;
  return {
    article: total(works.articles, works.agent_articles, 'article'),
    draft: total(works.drafts, works.agent_drafts, 'draft'),
    comment: total(works.comments, works.agent_comments, 'comment'),
  };
}

/** Joins what there is: `3 articles, one draft and 2 comments`. */
function joinParts(...parts: readonly string[]): string {
  const shown = parts.filter((part) => part !== '');
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** A sentence about works, if there are any. */
function about(works: string, say: (works: string, isOne: boolean) => string): string {
  return works === '' ? '' : `${say(works, works.startsWith('one '))} `;
}

function choices(works: Counted): Readonly<Record<Treatment, readonly [string, string]>> {
  const { article, draft, comment } = works;
  const drafts = about(draft, (own) => `No one sees your ${own}.`);
  const found = about(joinParts(article, comment), (own) => `Readers still find your ${own}.`);
  const taken = about(
    article,
    (own, isOne) =>
      `Your ${own} can no longer be read: ${isOne ? 'its' : 'each'} address says that the article was removed.`,
  );
  const nameless = about(
    comment,
    (own, isOne) => `Your ${own} ${isOne ? 'stays' : 'stay'} without your name.`,
  );
  const erased = about(
    joinParts(article, draft, comment),
    (own) => `Every text and title of your ${own} is deleted for good.`,
  );
  return {
    pseudonymise: [
      'Keep them without your name',
      `${found}A name such as “closed-x7k2m9pq” stands in place of yours. ${drafts}`.trim(),
    ],
    unpublish: ['Take the articles down', `${taken}${nameless}${drafts}`.trim()],
    erase: ['Erase everything', `${erased}The addresses, and the links of others to them, remain.`],
  };
}

function isNothing(works: Works): boolean {
  return Object.values({ ...works, agents: 0 }).every((count) => count === 0);
}

function treatmentTicks(works: Works | undefined, attempt: Attempt): Html {
  const chosen = attempt.value('articles');
  const fault = attempt.fault('articles');
  const ticks = Object.entries(choices(countedOf(works))).map(
    ([treatment, [title, words]], at) =>
      html`<label class="tick"><input type="radio" name="articles" value="${treatment}" required${treatment === chosen && html` checked`}${focusOfFirst(at, fault)}><span><strong>${title}</strong><br>${words}</span></label>
`,
  );
  return html`<fieldset class="input" aria-describedby="articles-fault">
<legend>What happens to what you published?</legend>
${works !== undefined && isNothing(works) && html`<p class="small">You have no articles, drafts or comments.</p>`}
${ticks}
${faultBelow('articles', fault)}
</fieldset>`;
}

function closeForm(
  { site }: PageContext,
  asked: PageRequest,
  { id, username, works }: Pick<Caller, 'id' | 'username'> & { readonly works: Works | undefined },
): Html {
  const attempt = attemptAt(asked, 'close');
  const content = html`${treatmentTicks(works, attempt)}
${field({
  name: 'reason',
  label: 'Why are you leaving? (optional)',
  hint: 'Only the operator reads it.',
  lines: 3,
  value: attempt.value('reason'),
  fault: attempt.fault('reason'),
})}
${field({
  name: 'confirm',
  label: 'Type “close” to confirm',
  required: true,
  value: attempt.value('confirm'),
  fault: attempt.fault('confirm'),
})}
${needsScript('If you signed in more than ten minutes ago, closing your account')}
<p><button type="submit">Close my account for good</button></p>
<p class="small">You confirm with your passkey, unless you did so in the last ten minutes.</p>`;
  const confirms = `close the account @${username} for good`;
  const own = { name: 'close', path: '/settings/close', item: id, confirms };
  return pageForm({ site, asked }, own, content);
}

/** In place of a form that would be refused. One that was refused stays, with what was typed. */
function suspendedNote({ site, caller }: PageContext, { refused }: PageRequest): Content {
  if (caller?.suspended !== true || refused !== undefined) return undefined;
  return html`<p class="note warning">A suspended account cannot be closed. You can <a href="${site.at('/notifications?kind=moderation')}">appeal the suspension</a> and <a href="${site.at('/settings/export')}">export your works</a>. To close the account all the same, ask the operator of this site.</p>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showClose(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const works = await web.worksOf(caller);
  const agents =
    works !== undefined &&
    works.agents > 0 &&
    html`<li>Your ${countWords(works.agents, 'agent')} ${works.agents === 1 ? 'stops' : 'stop'} for good, and what ${works.agents === 1 ? 'it' : 'they'} wrote is treated like your own works.</li>`;
  const main = html`${settingsIntro(web, 'close', 'Close your account')}
<section aria-labelledby="effects">
<h2 id="effects">This cannot be undone</h2>
<ul>
<li>You are signed out everywhere, and your passkeys, recovery codes and tokens stop working at once.</li>
<li>Your name and your text under “About” are deleted, and the e-mail address if you gave one when you registered through the API.</li>
${agents}
<li>No one can take the username <a href="${site.at(`/@${caller.username}`)}">@${caller.username}</a> for one year.</li>
</ul>
</section>
<section aria-labelledby="close">
<h2 id="close">Close the account</h2>
${suspendedNote(web, asked) ?? closeForm(web, asked, { id: caller.id, username: caller.username, works })}
</section>`;
  const page = {
    title: 'Close your account',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'account' as const,
  };
  return pageResponse(web, page, false);
}

/** The page after closing. It has no caller: the session is gone. */
export async function showClosed(web: PageContext): Promise<PageAnswer> {
  const { site } = web;
  const main = html`<header class="intro">
<h1>Your account is closed</h1>
<p>You are signed out everywhere, and no token of the account works any more. Your works are now treated as you chose, which takes a moment. Your username stays reserved for one year.</p>
<p><a href="${site.at('/')}">The latest articles</a></p>
</header>`;
  const page = {
    title: 'Your account is closed',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
  };
  return pageResponse(web, page, true);
}
