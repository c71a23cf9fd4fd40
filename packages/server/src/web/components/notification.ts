// A notification in words.
import { moderationActions, reasonCodes, targetTypes } from '@colophon/contract';
import type { EventType } from '@colophon/contract';
import { excerpt } from '#lib/excerpt';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Author, Notification } from '../page-services.ts';
import type { Site } from '../site.ts';
import { nameLink } from './components.ts';
import { beginningOf } from './folded.ts';
import { edgeWords, stances } from './labels.ts';
import { toAuthor, whyWords } from './moderation-words.ts';

type Words = (site: Site, notification: Notification) => Content;

const person = (site: Site, author: Author | null): Content =>
  author === null ? 'A closed account' : nameLink(site, author);

const textIn = ({ payload }: Notification, name: string): string => {
  const value = payload[name];
  return typeof value === 'string' ? value : '';
};

/** Events name values as text: an older one may name a value that is gone. */
function isOf<T extends string>(known: readonly T[], value: string): value is T {
  return known.some((one) => one === value);
}

/** The beginning of a comment; a deleted or hidden one has none. */
function quoteOf({ comment }: Notification): Content {
  const beginning = comment === null ? '' : excerpt(comment);
  return beginning !== '' && html` <q dir="auto">${beginning}</q>`;
}

function stanceOf(notification: Notification): Content {
  const stance = textIn(notification, 'stance');
  if (!(stance in stances)) return null;
  return html` and <span class="stance">${stances[stance as keyof typeof stances]}</span>`;
}

const answerSentence =
  (verb: string): Words =>
  (site, one) =>
    html`${person(site, one.actor)} <a href="${site.at(`/comments/${one.subject_id}`)}">${verb}</a>${stanceOf(one)}${quoteOf(one)}`;

function linkSentence(site: Site, one: Notification): Content {
  const kind = textIn(one, 'kind');
  const words = kind in edgeWords ? edgeWords[kind as keyof typeof edgeWords].in : 'Linked by';
  const { other } = one;
  if (other === null || other.url === null) return html`${words} an article that you cannot read`;
  return html`${words} <a href="${other.url}" dir="auto">${other.title?.trim() || 'Untitled'}</a>${other.author !== null && html` by ${nameLink(site, other.author)}`}`;
}

const changes: Readonly<Record<string, string>> = {
  superseded: 'was superseded by a newer one',
  corrected: 'was corrected',
  retracted: 'was retracted',
  removed: 'was removed',
};

/** The page of a decision about the person's own work, where it is appealed if it can be. */
export function decisionLink(site: Site, actionId: string, canAppeal = true): Html {
  return html`<a href="${site.at(`/decisions/${actionId}`)}">Read the decision${canAppeal && ', or appeal it'}</a>`;
}

function moderationSentence(site: Site, one: Notification): Content {
  const [action, type, reason] = [
    textIn(one, 'action'),
    one.subject_type,
    textIn(one, 'reason_code'),
  ];
  const isKnown = isOf(moderationActions, action) && isOf(targetTypes, type);
  const did = isKnown ? toAuthor(action, type, one.agent) : 'A moderator acted on your content.';
  const why = isOf(reasonCodes, reason) ? whyWords(action, reason) : '';
  // The decision has all of it.
  const said = textIn(one, 'reason_text');
  const text = beginningOf(said);
  return html`${did} ${why}${said !== '' && html` <q dir="auto">${text === undefined ? said : `${text} …`}</q>`} ${decisionLink(site, textIn(one, 'action_id'), one.canAppeal)}`;
}

function accountOf(site: Site, { principal }: Notification): Content {
  return principal === null ? 'an account of yours' : nameLink(site, principal);
}

/** What the reader reported: somebody who reported several things learns which of them this is about. */
function reportOf(site: Site, one: Notification): Content {
  const { subject_type: type, principal, article } = one;
  if (type === 'comment') return html`your report of a comment${quoteOf(one)}`;
  if (type === 'principal')
    return html`your report of ${principal === null ? 'an account' : nameLink(site, principal)}`;
  if (type === 'media') return 'your report of a file';
  return `your report of ${article === null ? 'an' : 'this'} article`;
}

const words: Readonly<Record<EventType, Words>> = {
  'comment.created': answerSentence('commented'),
  'reply.created': answerSentence('replied to your comment'),
  'edge.created': linkSentence,
  'citation.changed': (_site, one) =>
    html`This article, which you cite, ${changes[textIn(one, 'change')] ?? 'has changed'}.`,
  'follow.created': (site, { actor }) => html`${person(site, actor)} follows you`,
  'moderation.action': moderationSentence,
  'report.resolved': (site, one) =>
    textIn(one, 'status') === 'actioned'
      ? html`A moderator acted on ${reportOf(site, one)}. Thank you.`
      : html`A moderator looked at ${reportOf(site, one)} and took no action.`,
  'appeal.resolved': (site, one) =>
    html`Your appeal was ${textIn(one, 'status') === 'upheld' ? 'upheld' : 'rejected'}. <a href="${site.at(`/decisions/${textIn(one, 'action_id')}`)}">Read the answer</a>`,
  'token.issued': (site, one) => html`A new token was issued for ${accountOf(site, one)}`,
  'key.registered': (site, one) => html`A signing key was registered for ${accountOf(site, one)}`,
};

/** Returns the sentence of a notification, with links. One of an unknown type is named as such. */
export function notificationLine(site: Site, notification: Notification): Content {
  const { type } = notification;
  const say = Object.hasOwn(words, type) ? words[type as EventType] : undefined;
  return say?.(site, notification) ?? html`Something happened: <code>${type}</code>`;
}
