// The operations of events: each one named here is served.
export { listEvents } from './list-events.ts';
