// `/decisions/{id}`: a decision of the moderators for the author: what, why, the text in question, and the appeal.
import { limits } from '@colophon/contract';
import type { ModerationAction, ReasonCode, TargetType } from '@colophon/contract';
import { problem } from '#http';
import { isId } from '#lib/id';
import { assetPaths } from '../assets.ts';
import { exactly, when } from '../components/components.ts';
import { sourceLine, sourceText, thing } from '../components/desk.ts';
import { foldText } from '../components/folded.ts';
import { absentComments } from '../components/labels.ts';
import { attemptAt, field, pageForm } from '../components/forms.ts';
import {
  isReasonFor,
  reasonWords,
  seenWords,
  toAuthor,
  whyWords,
} from '../components/moderation-words.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Decision } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';

/** The values of a decision, which the database holds to the vocabulary. */
interface Values {
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly target_type: TargetType;
}

/** What readers see of an article or a file in a status that they do not see it in. */
const absentWords: Readonly<Record<string, string>> = {
  hidden: 'Readers see “Page not found”.',
  removed: 'Readers see “This page was removed”.',
  erased: 'Readers see “This page was removed”.',
  unpublished: 'Readers see “This page was removed”.',
};

/** What readers see of it now, where another decision, or its author, has the last word. */
function seenNow(decision: Decision): string | undefined {
  const { status, removed_legally: isLegal, target_type: type } = decision as Decision & Values;
  if (isLegal) return 'Readers see that it is not available for legal reasons.';
  if (type === 'comment' && status !== null && status !== 'visible')
    return `Readers see “${absentComments[status as keyof typeof absentComments]}”`;
  return absentWords[status ?? ''];
}

function effect(decision: Decision): Content {
  const { action, target_type: type, lifted_at: lifted } = decision as Decision & Values;
  const now = seenNow(decision);
  if (lifted !== null)
    return html`<p class="note">This decision was taken back ${when(lifted)}.${now !== undefined && ` ${now}`}</p>`;
  return html`<p>${now ?? `Readers see ${seenWords(action, type).readers}`}</p>`;
}

/** What somebody wrote about the decision, with its lines; folded where it is long. */
function words(text: string): Content {
  const quote = (all: string) =>
    html`<blockquote class="note lines" dir="auto">${all}</blockquote>`;
  const beginning = (part: string) => html`<span class="lines" dir="auto">${part}</span>`;
  return foldText(text, { short: quote, beginning, whole: quote });
}

function reason(decision: Decision): Html {
  const { action, reason_code: code } = decision as Decision & Values;
  const { reason_text: text, source } = decision;
  const why =
    isReasonFor(action, code) &&
    html`<p><strong>${reasonWords[code]}.</strong> ${whyWords(action, code)}</p>`;
  return html`<section aria-labelledby="reason">
<h2 id="reason">Why</h2>
${why}
${text !== null && text !== '' && words(text)}
<p class="small">Decided by ${source === 'automated' ? 'a program' : 'a moderator'}, ${when(decision.created_at)}</p>
</section>`;
}

function inQuestion(
  decision: Decision,
  whole: { readonly isWhole: boolean; readonly rest: string },
): Content {
  const {
    content,
    excerpt,
    removed_legally: isLegal,
    target_type: type,
  } = decision as Decision & Values;
  if (isLegal)
    return html`<p class="note">The text is not shown, because it was removed for legal reasons.</p>`;
  if (content === null && (excerpt === null || excerpt === '')) return null;
  return html`<section aria-labelledby="in-question">
<h2 id="in-question">What it is about</h2>
${excerpt !== null && excerpt !== '' && html`<p>${sourceLine(excerpt)}</p>`}
${content !== null && sourceText(content, { label: `${decision.agent === undefined ? 'Your' : 'The'} ${thing(type).toLowerCase()}`, isOwn: true, ...whole })}
</section>`;
}

const outcomes: Readonly<Record<string, string>> = {
  open: 'Another moderator will decide. You will be notified.',
  upheld: 'Your appeal was right.',
  rejected: 'Your appeal was rejected.',
};

function sentAppeal({
  appeal_text: text,
  appeal_status,
  resolution,
  appealed_at: at,
}: Decision): Html {
  return html`<p><strong>${outcomes[appeal_status ?? 'open']}</strong>${at !== null && html` <span class="small">Appealed ${when(at)}</span>`}</p>
${text !== null && words(text)}
${resolution !== null && resolution !== '' && html`<p>The answer of the moderator:</p>${words(resolution)}`}`;
}

/** The last moment of an appeal, as the rule of appeals counts it. */
function appealEnd({ created_at: at }: Decision): string {
  return new Date(Date.parse(at) + limits.appeal_days * 86_400_000).toISOString();
}

function appealForm(web: PageContext, asked: PageRequest, decision: Decision): Html {
  const attempt = attemptAt(asked, 'appeal');
  return pageForm(
    { site: web.site, asked },
    { name: 'appeal', path: `/decisions/${decision.id}` },
    html`<p>Another moderator than the one who decided reads your appeal. You can appeal once, until ${exactly(appealEnd(decision))}.</p>
${field({
  name: 'text',
  label: 'Why is the decision wrong?',
  required: true,
  lines: 6,
  value: attempt.value('text'),
  fault: attempt.fault('text'),
})}
<p><button type="submit">Send the appeal</button></p>`,
  );
}

function appealSection(web: PageContext, asked: PageRequest, decision: Decision): Content {
  const content =
    decision.appeal_status !== null
      ? sentAppeal(decision)
      : decision.canAppeal
        ? appealForm(web, asked, decision)
        : html`<p>There is nothing to appeal${decision.action === 'restore' || decision.lifted_at !== null ? '' : ': the time for an appeal has ended'}.</p>`;
  return html`<section aria-labelledby="appeal">
<h2 id="appeal">Your appeal</h2>
${content}
</section>`;
}

/** The first sentence. For the owner of an agent it names the agent. */
function heading(decision: Decision): string {
  const { action, target_type: type } = decision as Decision & Values;
  return toAuthor(action, type, decision.agent);
}

/** Shows a decision to its parties; nobody else learns whether it exists. */
export async function showDecision(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const { id = '' } = asked.params;
  const decision = isId(id) ? await web.decision(caller, id) : undefined;
  if (decision === undefined) throw problem('not-found', 'No decision about you has this id.');
  const isSent = queryValue(asked, 'done') === 'appealed';
  const whole = {
    isWhole: queryValue(asked, 'whole') !== undefined,
    rest: site.at(`/decisions/${id}?whole=1`),
  };
  const main = html`<header class="intro">
<h1>${heading(decision)}</h1>
${effect(decision)}
</header>
${isSent && html`<p class="note" id="done" role="status" tabindex="-1">Your appeal is sent.</p>`}
${reason(decision)}
${inQuestion(decision, whole)}
${appealSection(web, asked, decision)}
<p class="small"><a href="${site.at('/docs/moderation')}">How moderation works</a> · <a href="${site.at('/transparency')}">All decisions in public</a></p>`;
  const page = {
    title: 'A decision of the moderators',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'notifications' as const,
    sheet: assetPaths.desk,
  };
  return pageResponse(web, page, false);
}
