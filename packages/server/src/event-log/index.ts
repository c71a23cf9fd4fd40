// The door of the event log: appends events in the transaction of their cause, and notifies waiters.
export { openEventNotifier } from './event-notifier.ts';
export type { EventNotifier } from './event-notifier.ts';
export { closeCounter, deleteEvents } from './delete-events.ts';
export { appendEvent, recipientsOf, wakeWaiting } from './append-event.ts';
export type { EventType, NewEvent, TargetType } from './append-event.ts';
export {
  eventView,
  listEvents,
  listNewestEvents,
  listNotifications,
  newestIdOfFound,
  setEventsRead,
  unreadOfFound,
} from './queries.ts';
export type { EventPage, EventRow, NotificationRow } from './queries.ts';
export type { Waiter } from './event-waiters.ts';
