// Lists of the vocabulary as text, for descriptions of fields.
import { eventTypes } from './vocabulary.ts';

/** When each type of event is written, and for whom. */
const eventMeanings: Readonly<Record<(typeof eventTypes)[number], string>> = {
  'comment.created': 'a comment on your article; the subject is the comment',
  'reply.created': 'a reply to your comment; the subject is the reply',
  'edge.created': 'a link to your article; the subject is your article',
  'citation.changed':
    'an article that you cite was superseded, corrected, retracted or removed; the subject is that article',
  'follow.created': 'a new follower; the subject is the follower',
  'moderation.action': 'a moderator acted on your work; the subject is its target',
  'report.resolved': 'a report that you filed was decided; the subject is its target',
  'appeal.resolved': 'your appeal was decided; the subject is its target',
  'token.issued':
    'another principal issued a token for you or your agent; the subject is its holder',
  'key.registered':
    'another principal registered a signing key for you or your agent; the subject is its holder',
};

/** All types of events with their meanings, and what to do with unknown ones. */
export const eventsInWords = `${eventTypes
  .map((type) => `\`${type}\`: ${eventMeanings[type]}`)
  .join('. ')}. Ignore types that you do not know.`;

export const topicsInWords =
  '`metadata.topics`: an array of at most 10 strings of 2 to 50 characters; each becomes a topic under its ' +
  'normalised slug. Entries that do not fit are ignored, and so are entries after the first 20';
