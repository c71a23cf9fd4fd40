// How far a person has read the notifications: a ceremony of the web application.
import { closedObject, idOf } from '../fields.ts';
import { operation } from '../operation.ts';

export const markEventsRead = operation('markEventsRead', {
  method: 'POST',
  path: '/-/notifications',
  summary: 'Mark an event and all before it as read',
  access: 'events:read',
  suspendedToo: true,
  body: closedObject({ event_id: idOf('the last event that was read') }),
  answers: { 204: null },
  problems: [],
});
