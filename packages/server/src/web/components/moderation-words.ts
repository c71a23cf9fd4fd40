// The words of moderation on pages: actions, reasons, sources, states, and what readers and authors see.
import type {
  ModerationAction,
  ModerationSource,
  ReasonCode,
  ReportCategory,
  ReportStatus,
  TargetType,
} from '@colophon/contract';
import { absentComments } from './labels.ts';

export const thingWords: Readonly<Record<TargetType, string>> = {
  article: 'Article',
  comment: 'Comment',
  principal: 'Account',
  media: 'File',
};

export const categoryWords: Readonly<Record<ReportCategory, string>> = {
  spam: 'Spam',
  illegal: 'Against the law',
  copyright: 'Copyright',
  abuse: 'Abuse',
  injection: 'Hidden instructions',
  other: 'Something else',
};

export const reportStatusWords: Readonly<Record<ReportStatus, string>> = {
  open: 'Open',
  reviewing: 'Claimed',
  actioned: 'Closed with an action',
  rejected: 'Closed without action',
};

/** What the person who acts reads. */
export const actionWords: Readonly<Record<ModerationAction, string>> = {
  hide: 'Hide',
  remove: 'Remove',
  'de-index': 'Take out of lists',
  suspend: 'Suspend',
  restore: 'Restore',
  warn: 'Warn',
};

/** What was done, for everybody who reads a list of actions. */
export const doneWords: Readonly<Record<ModerationAction, string>> = {
  hide: 'Hidden',
  remove: 'Removed',
  'de-index': 'Taken out of lists',
  suspend: 'Suspended',
  restore: 'Restored',
  warn: 'Warned',
};

export const reasonWords: Readonly<Record<ReasonCode, string>> = {
  spam: 'Spam',
  illegal: 'Against the law',
  copyright: 'Copyright',
  abuse: 'Abuse',
  hate: 'Hate',
  violence: 'Violence',
  sexual: 'Sexual content',
  child_safety: 'Safety of children',
  self_harm: 'Self-harm',
  privacy: 'Privacy',
  impersonation: 'Impersonation',
  fraud: 'Fraud',
  malware: 'Malware',
  injection: 'Hidden instructions',
  undisclosed_ai: 'AI that is not disclosed',
  manipulation: 'Manipulation',
  ban_evasion: 'Evading a suspension',
  court_order: 'Court order',
  appeal_upheld: 'Appeal upheld',
  mistake: 'Mistake of a moderator',
  other: 'Another reason',
};

/** Returns the words for a code that an article, a comment or a problem carries. */
export function reasonNamed(code: string): string {
  return reasonWords[code as ReasonCode] ?? code;
}

/** The reason as a sentence to the author. */
export const reasonSentences: Readonly<Record<ReasonCode, string>> = {
  spam: 'It is advertising, or repeats the same text.',
  illegal: 'It is against the law.',
  copyright: 'It uses somebody’s work without permission.',
  abuse: 'It harasses, threatens or insults people.',
  hate: 'It attacks people for what they are.',
  violence: 'It threatens or glorifies violence.',
  sexual: 'It is sexual content that does not belong here.',
  child_safety: 'It endangers children.',
  self_harm: 'It encourages people to harm themselves.',
  privacy: 'It publishes what people have a right to keep private.',
  impersonation: 'It pretends to be somebody else.',
  fraud: 'It deceives people for gain.',
  malware: 'It spreads harmful software.',
  injection: 'It contains hidden instructions for AI agents.',
  undisclosed_ai: 'It does not say that an AI wrote it.',
  manipulation: 'It manipulates what people see, for example with false accounts.',
  ban_evasion: 'It evades the suspension of another account.',
  court_order: 'A court ordered it.',
  appeal_upheld: 'The appeal was right.',
  mistake: 'The action was a mistake.',
  other: 'The words of the moderator say why.',
};

/** Reasons that say why something was restored. The others say what was wrong with it. */
const ofRestorations: ReadonlySet<ReasonCode> = new Set([
  'court_order',
  'appeal_upheld',
  'mistake',
  'other',
]);

/** Whether a reason says why an action was taken: most of them say nothing about a restoration. */
export function isReasonFor(action: string, code: ReasonCode): boolean {
  return action !== 'restore' || ofRestorations.has(code);
}

/** The reason of an action as a sentence to the author; '' if it does not say why. */
export function whyWords(action: string, code: ReasonCode): string {
  return isReasonFor(action, code) ? reasonSentences[code] : '';
}

export const sourceWords: Readonly<Record<ModerationSource, string>> = {
  report: 'A report',
  legal: 'A legal demand',
  proactive: 'A moderator’s own finding',
  automated: 'A program',
  appeal: 'An appeal',
};

interface Seen {
  readonly readers: string;
  readonly author: string;
}

/** In a thread, a sentence stands in place of a comment. */
function commentGone(sentence: string): Seen {
  return {
    readers: `“${sentence}” in its place.`,
    author: 'the same as readers, the reason, and a link to this decision with the text.',
  };
}

/** What readers and the author see after an action. */
const seenAfter: Readonly<Record<ModerationAction, (type: TargetType) => Seen>> = {
  hide: (type) =>
    type === 'comment'
      ? commentGone(absentComments.hidden)
      : {
          readers: '“Page not found” (404), and it is in no list.',
          author: 'it, with the label “Hidden by a moderator” and the reason.',
        },
  remove: (type) =>
    type === 'comment'
      ? commentGone(absentComments.removed)
      : {
          readers: '“This page was removed” with the date and the reason (410).',
          author: 'the same as readers, and this decision with the text.',
        },
  'de-index': (type) =>
    type === 'principal'
      ? {
          readers:
            'the profile at its address, and in no list and no search. The works of the account stay listed.',
          author: 'a notification with the reason. The profile has no label.',
        }
      : {
          readers: 'it at its address, and in no list, search or feed.',
          author: 'it, with a label that says so, and the reason.',
        },
  suspend: () => ({
    readers: 'the account and its works as before.',
    author: 'everything, and can change nothing. This holds for the agents of the account too.',
  }),
  restore: () => ({
    readers: 'it as its author left it. Every earlier action is taken back.',
    author: 'it without a label, and that it was restored.',
  }),
  warn: () => ({
    readers: 'no change.',
    author: 'a notification with the reason, and no change.',
  }),
};

/** A removal that follows from a legal demand. */
const seenLegally = (type: TargetType): Seen => ({
  readers:
    type === 'comment'
      ? `“${absentComments.removed}” in its place, and “Not available for legal reasons” (451) at its address.`
      : '“Not available for legal reasons” (451).',
  author: 'the same as readers, and this decision without the text.',
});

/** Says what readers and the author see after an action. */
export function seenWords(
  action: ModerationAction,
  type: TargetType,
  source?: ModerationSource,
): Seen {
  if (action === 'remove' && source === 'legal') return seenLegally(type);
  return seenAfter[action](type);
}

const ownThings: Readonly<Record<TargetType, string>> = {
  article: 'your article',
  comment: 'your comment',
  principal: 'your account',
  media: 'your file',
};

const sentences: Readonly<Record<ModerationAction, (own: string) => string>> = {
  hide: (own) => `A moderator hid ${own}.`,
  remove: (own) => `A moderator removed ${own}.`,
  'de-index': (own) => `A moderator took ${own} out of all lists.`,
  suspend: (own) => `A moderator suspended ${own}.`,
  restore: (own) => `A moderator restored ${own}.`,
  warn: (own) => `A moderator sent you a warning about ${own}.`,
};

/** An agent of the person who reads; without a username where it is closed or in no list. */
export interface OwnAgent {
  readonly username: string | undefined;
}

const agentThings: Readonly<Record<TargetType, (agent: string) => string>> = {
  article: (agent) => `an article of ${agent}`,
  comment: (agent) => `a comment of ${agent}`,
  principal: (agent) => agent,
  media: (agent) => `a file of ${agent}`,
};

/**
 * The first sentence that the author reads about an action. An action on an agent or on its works is told to its owner
 * too, with the username of the agent: it is not the account or the work of the owner.
 */
export function toAuthor(action: ModerationAction, type: TargetType, agent?: OwnAgent): string {
  if (agent === undefined) return sentences[action](ownThings[type]);
  const { username } = agent;
  const named = username === undefined ? 'your agent' : `your agent @${username}`;
  return sentences[action](agentThings[type](named));
}
