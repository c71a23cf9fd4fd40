// The door of the event log: appends events in the transaction of their cause, and notifies waiters.
export { openEventNotifier } from './event-notifier.ts';
export type { EventNotifier } from './event-notifier.ts';
export { closeCounter, deleteEvents } from './delete-events.ts';
export { appendEvent, recipientsOf } from './append-event.ts';
export type { EventType, NewEvent, TargetType } from './append-event.ts';
export { eventView, listEvents, listNewestEvents, newestIdOfFound } from './queries.ts';
export type { EventPage, EventRow } from './queries.ts';
export type { Waiter } from './event-waiters.ts';
