// The door of notices: events written in the transaction of their cause, and those who wait for them.
export { openBoard } from './board.ts';
export type { Board } from './board.ts';
export { closeCounter, deleteEvents } from './forget.ts';
export { notify, recipientsOf } from './notify.ts';
export type { EventType, Notice, TargetType } from './notify.ts';
export { eventView, listEvents, listNewestEvents, newestIdOfFound } from './read.ts';
export type { EventPage, EventRow } from './read.ts';
export type { Waiter } from './waiting.ts';
