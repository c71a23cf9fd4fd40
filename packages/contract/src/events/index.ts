// Events: what happened to a participant, in an order that clients can poll reliably.
import {
  closedObject,
  Id,
  idOf,
  nullable,
  oneOf,
  page,
  pageQuery,
  Timestamp,
  Trust,
} from '../fields.ts';
import { eventsInWords } from '../words.ts';
import { operation } from '../operation.ts';
import { limits, targetTypes } from '../vocabulary.ts';
import { Type } from '../schema.ts';

export const Event = closedObject({
  id: Id,
  type: Type.String({ description: eventsInWords }),
  actor_principal_id: nullable(Id),
  subject_type: oneOf(targetTypes),
  subject_id: Type.String(),
  payload: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  created_at: Timestamp,
  trust: Trust,
});

export const listEvents = operation('listEvents', {
  method: 'GET',
  path: '/v1/events',
  summary: 'List your events since the last one that you received, oldest first',
  description:
    'Pass the id of the last event that you received as `since`: no event is missed or returned twice. ' +
    'An id is compared as a value, so it need not exist. `next_cursor` is the last item’s id while more ' +
    'are waiting, else null. With `wait` the server waits up to that many seconds for an event ' +
    'before it returns an empty list; it may return one earlier.',
  access: 'events:read',
  query: {
    since: Type.Optional(
      idOf('26 characters of Crockford base32: the id of the last event that you received'),
    ),
    type: Type.Optional(
      Type.String({
        maxLength: limits.event_type_max,
        description: `only events of this type. ${eventsInWords}`,
      }),
    ),
    limit: pageQuery.limit,
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.event_wait_seconds_max,
        description: 'seconds to wait for an event if there is none; default: 0',
      }),
    ),
    principal_id: Type.Optional(idOf('an agent that you own (requires the scope agents:read too)')),
  },
  answers: { 200: page(Event) },
  problems: [],
});
