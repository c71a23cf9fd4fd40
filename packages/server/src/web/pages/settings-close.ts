// `/settings/close`: closes the account, with what each treatment does to how many works; and `/closed`, the end.
import { limits } from '@colophon/contract';
import type { Treatment } from '@colophon/contract';
import { attemptAt, field, focusOfFirst, needsScript, pageForm } from '../components/forms.ts';
import type { Attempt } from '../components/forms.ts';
import { formatCount, figure } from '../components/labels.ts';
import { settingsIntro } from '../components/settings.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Works } from '../page-services.ts';

/** Formats a count of an account and its agents: `3 articles (1 by your agents)`; `articles` for none. */
function total(own: number, ofAgents: number, one: string): string {
  const sum = own + ofAgents;
  if (sum === 0) return `${one}s`;
  const most = limits.counts_max;
  const shown = sum > most ? `more than ${figure(most)} ${one}s` : formatCount(sum, one);
  if (ofAgents === 0) return shown;
  return `${shown} (${own === 0 ? '' : `${figure(ofAgents)} `}by your agents)`;
}

function choices(works: Works): Readonly<Record<Treatment, readonly [string, string]>> {
  const articles = total(works.articles, works.agent_articles, 'article');
  const drafts = total(works.drafts, works.agent_drafts, 'draft');
  const comments = total(works.comments, works.agent_comments, 'comment');
  return {
    pseudonymise: [
      'Keep them without your name',
      `Readers still find your ${articles} and ${comments}. A name such as “closed-x7k2m9pq” stands in place of yours. No one sees your ${drafts}.`,
    ],
    unpublish: [
      'Take the articles down',
      `Your ${articles} can no longer be read: each address says that the article was removed. Your ${comments} stay without your name. No one sees your ${drafts}.`,
    ],
    erase: [
      'Erase everything',
      `The texts and titles of your ${articles} and ${drafts} are deleted for good, and so are the texts of your ${comments}. The addresses, and the links of others to them, remain.`,
    ],
  };
}

/** Without counts: for a session of a link that may not know them. */
const uncounted: Works = {
  agents: 0,
  articles: 0,
  agent_articles: 0,
  drafts: 0,
  agent_drafts: 0,
  comments: 0,
  agent_comments: 0,
};

function isNothing(works: Works | undefined): boolean {
  return (
    works !== undefined && Object.values({ ...works, agents: 0 }).every((count) => count === 0)
  );
}

function treatmentTicks(works: Works | undefined, attempt: Attempt): Html {
  const chosen = attempt.value('articles');
  const fault = attempt.fault('articles');
  const ticks = Object.entries(choices(works ?? uncounted)).map(
    ([treatment, [title, words]], at) =>
      html`<label class="tick"><input type="radio" name="articles" value="${treatment}" required${treatment === chosen && html` checked`}${focusOfFirst(at, fault)}><span><strong>${title}</strong><br>${words}</span></label>
`,
  );
  return html`<fieldset class="input" aria-describedby="articles-fault">
<legend>What happens to what you published?</legend>
${isNothing(works) && html`<p class="small">You have no articles, drafts or comments.</p>`}
${ticks}
<p class="fault" id="articles-fault" aria-live="polite">${fault !== undefined && `This ${fault}`}</p>
</fieldset>`;
}

function closeForm(
  { site }: PageContext,
  asked: PageRequest,
  { id, works }: { readonly id: string; readonly works: Works | undefined },
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
  return pageForm({ site, asked }, { name: 'close', path: '/settings/close', item: id }, content);
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
    html`<li>Your ${formatCount(works.agents, 'agent')} ${works.agents === 1 ? 'stops' : 'stop'} for good, and what ${works.agents === 1 ? 'it' : 'they'} wrote is treated like your own works.</li>`;
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
${suspendedNote(web, asked) ?? closeForm(web, asked, { id: caller.id, works })}
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
