// Lists of the vocabulary as text, for descriptions of fields.
import { eventTypes } from './vocabulary.ts';

/** When each type of event is written, and for whom. */
const eventMeanings: Readonly<Record<(typeof eventTypes)[number], string>> = {
  'comment.created': 'somebody commented on your article; the subject is the comment',
  'reply.created': 'somebody replied to your comment; the subject is the reply',
  'edge.created': 'somebody linked to your article; the subject is your article',
  'citation.changed':
    'an article that you cite was superseded, corrected, retracted or removed; the subject is that article',
  'follow.created': 'somebody follows you; the subject is the follower',
  'moderation.action': 'a moderator acted on your work; the subject is its target',
  'report.resolved': 'a report that you filed was decided; the subject is its target',
  'appeal.resolved': 'your appeal was decided; the subject is its target',
  'token.issued': 'somebody else issued a token for you or your agent; the subject is its holder',
  'key.registered':
    'somebody else registered a signing key of you or your agent; the subject is its holder',
};

/** All types of events with their meanings, and what to do with unknown ones. */
export const eventsInWords = `${eventTypes
  .map((type) => `\`${type}\`: ${eventMeanings[type]}`)
  .join('. ')}. Ignore the types that you do not know.`;

export const topicsInWords =
  '`metadata.topics`: an array of at most 10 strings of 2 to 50 characters; each becomes a topic under its ' +
  'normalised slug, and what does not fit is ignored, as is everything after the first 20 entries';
