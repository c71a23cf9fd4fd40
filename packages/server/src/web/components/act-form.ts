// The form of a moderation action: what is done, why, and what readers and the author will see.
import { limits, moderationActions, moderationTargets, reasonCodes } from '@colophon/contract';
import type { ModerationAction, ReasonCode, ReportCategory, TargetType } from '@colophon/contract';
import type { PageRequest } from '../context.ts';
import type { ActionUses } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { TargetRecord } from '../moderation-records.ts';
import type { Site } from '../site.ts';
import { attemptAt, faultBelow, field, focusOfFirst, pageForm } from './forms.ts';
import type { Attempt } from './forms.ts';
import { figure, formatCount } from './labels.ts';
import {
  actionWords,
  reasonSentences,
  reasonWords,
  seenWords,
  sourceWords,
  toAuthor,
  whyWords,
} from './moderation-words.ts';

export interface Acting {
  /** The path of the page, with its query. */
  readonly path: string;
  readonly type: TargetType;
  readonly id: string;
  /** Its state now, and what would change it. */
  readonly target: Omit<TargetRecord, 'excerpt'>;
  readonly uses: ActionUses;
  /** The report that the action closes, and how many others on the same object are open. */
  readonly report?: {
    readonly id: string;
    readonly category: ReportCategory;
    readonly others: number;
  };
}

/** The actions that fit a type of object, in the order of their effect. */
function actionsFor(type: TargetType): readonly ModerationAction[] {
  return moderationActions.filter((action) =>
    (moderationTargets[action] as readonly TargetType[]).includes(type),
  );
}

/** Statuses that only the author, or the end of the account, gives. */
const endWords: Readonly<Record<string, string>> = {
  deleted: 'Its author has deleted it.',
  erased: 'Its author has erased it.',
  unpublished: 'Its author has closed the account, and taken it from readers.',
  closed: 'The account is closed.',
};

/** Says why most actions are not offered: readers do not see the object, and no moderator caused that. */
function ownEnd({ target: { status, reason_code: reason } }: Acting): Content {
  const removed = status === 'removed' && reason === null ? endWords['deleted'] : undefined;
  const words = endWords[status ?? ''] ?? removed;
  return words !== undefined && html`<p class="note">${words}</p>`;
}

/** What stands beside an action that changes nothing now, or does so only with one source. */
const useWords = { legally: 'Only for a legal demand.', never: 'It would change nothing now.' };

/**
 * The field is not called `action`, because a field of that name hides the address of its form from scripts. What
 * would change nothing cannot be chosen, and keeps its place, so that each action keeps its key.
 */
function actionTicks({ type, uses }: Acting, attempt: Attempt): Html {
  const chosen = attempt.value('moderation_action');
  const actions = actionsFor(type);
  const first = actions.findIndex((action) => uses.has(action));
  const ticks = actions.map((action, at) => {
    const { readers, author } = seenWords(action, type);
    const legally = seenWords(action, type, 'legal');
    const use = uses.get(action) ?? 'never';
    const shown = use === 'legally' ? legally : { readers, author };
    const said = html`data-notice="${toAuthor(action, type)}" data-readers="${readers}" data-author="${author}"${legally.readers !== readers && html` data-readers-legal="${legally.readers}" data-author-legal="${legally.author}"`}`;
    const state = use === 'never' ? html` disabled` : action === chosen && html` checked`;
    return html`<label class="tick"><input type="radio" name="moderation_action" value="${action}" required ${said}${state}${focusOfFirst(at - first, attempt.fault('moderation_action'))}><span><kbd>${at + 1}</kbd> <strong>${actionWords[action]}</strong> ${use !== 'always' && html`<strong class="small">${useWords[use]}</strong> `}<span class="small">Readers see ${shown.readers}</span> <span class="small">The author sees ${shown.author}</span></span></label>
`;
  });
  return html`<fieldset class="input acts" aria-describedby="moderation_action-fault">
<legend>What is done</legend>
${ticks}${faultBelow('moderation_action', attempt.fault('moderation_action'))}
</fieldset>`;
}

/** Reasons that follow from something else than a report. */
const ofAppeals: readonly ReasonCode[] = ['appeal_upheld'];

function reasonField(usual: string, attempt: Attempt): Html {
  const value = attempt.value('reason_code', usual);
  const fault = attempt.fault('reason_code');
  const options = reasonCodes
    .filter((code) => !ofAppeals.includes(code))
    .map(
      (code) =>
        html`<option value="${code}" data-sentence="${reasonSentences[code]}" data-restored="${whyWords('restore', code)}"${code === value && html` selected`}>${reasonWords[code]}</option>`,
    );
  return html`<div class="input">
<label for="reason_code">Reason</label>
<select id="reason_code" name="reason_code" required data-key="r" aria-describedby="reason_code-fault"${fault !== undefined && html` aria-invalid="true" autofocus`}><option value="">Choose a reason</option>${options}</select>
${faultBelow('reason_code', fault)}
</div>`;
}

function sourceField(usual: string, attempt: Attempt): Html {
  const value = attempt.value('source', usual);
  const fault = attempt.fault('source');
  const options = (['report', 'proactive', 'legal'] as const).map(
    (source) =>
      html`<option value="${source}"${source === value && html` selected`}>${sourceWords[source]}</option>`,
  );
  return html`<div class="input">
<label for="source">What it follows from</label>
<select id="source" name="source" aria-describedby="source-fault source-hint"${fault !== undefined && html` aria-invalid="true" autofocus`}>${options}</select>
<p class="small" id="source-hint">A removal that follows from a legal demand answers 451, whatever comes before or after, until a restoration that follows from one.</p>
${faultBelow('source', fault)}
</div>`;
}

function othersWords(count: number): string {
  if (count === 1) return 'the other report';
  if (count > limits.reports_at_once_max)
    return `the oldest ${figure(limits.reports_at_once_max)} reports`;
  return `the other ${formatCount(count, 'report')}`;
}

function othersTick({ report }: Acting, attempt: Attempt): Content {
  if (report === undefined || report.others === 0) return null;
  const isFirst = attempt.value('reason_code') === '';
  const isTicked = isFirst || attempt.value('all_reports') === 'true';
  return html`<label class="tick"><input type="checkbox" name="all_reports" value="true"${isTicked && html` checked`}><span>Close ${othersWords(report.others)} on this too. Each person who reported it is told.</span></label>`;
}

/**
 * What readers will see, and what the author will be notified of. A script writes it while the form is filled in;
 * without one, the form is sent for it.
 */
function notice(type: TargetType, attempt: Attempt, isDraft: boolean): Html {
  const action = moderationActions.find((one) => one === attempt.value('moderation_action'));
  const reason = reasonCodes.find((one) => one === attempt.value('reason_code'));
  const source = attempt.value('source') === 'legal' ? 'legal' : undefined;
  const seen = action === undefined ? undefined : seenWords(action, type, source);
  return html`<div class="notice" id="preview" data-preview${isDraft ? html` tabindex="-1" autofocus` : html` hidden`}>
<p class="small">Readers will see <span class="readers">${seen?.readers}</span></p>
<p class="small">The author will see <span class="author">${seen?.author}</span></p>
<p class="small">The author will be notified:</p>
<p><strong class="says">${action !== undefined && toAuthor(action, type)}</strong> <span class="why">${action !== undefined && reason !== undefined && whyWords(action, reason)}</span></p>
<blockquote class="words" dir="auto">${attempt.value('reason_text').trim()}</blockquote>
</div>`;
}

/** The form of an action on an object. */
export function actForm(site: Site, asked: PageRequest, acting: Acting): Html {
  const { path, type, id, report } = acting;
  const attempt = attemptAt(asked, 'act');
  const usual = report === undefined ? '' : report.category;
  return pageForm(
    { site, asked },
    { name: 'act', path },
    html`<input type="hidden" name="target_type" value="${type}"><input type="hidden" name="target_id" value="${id}">${report !== undefined && html`<input type="hidden" name="report_id" value="${report.id}">`}
${ownEnd(acting)}${actionTicks(acting, attempt)}
${reasonField(usual, attempt)}
${sourceField(report === undefined ? 'proactive' : 'report', attempt)}
${field({
  name: 'reason_text',
  label: 'To the author (optional)',
  hint: 'The author reads this, and the owner of an agent. Nobody else does.',
  lines: 3,
  key: 'w',
  value: attempt.value('reason_text'),
  fault: attempt.fault('reason_text'),
})}
${othersTick(acting, attempt)}
${notice(type, attempt, asked.draft?.name === 'act')}
<p class="ways"><noscript><button class="quiet" name="step" value="preview">Preview</button></noscript> <button type="submit" data-key="s">Carry out</button></p>`,
  );
}
