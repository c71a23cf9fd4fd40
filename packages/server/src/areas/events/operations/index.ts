// The operations of events, and its ceremonies: each one named here is served.
export { listEvents } from './list-events.ts';
export { markEventsRead } from './mark-events-read.ts';
