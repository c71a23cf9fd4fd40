// The door of the processes of one host: the supervisor starts and counts for them, and each has a link to it.
export { openLink } from './link.ts';
export type { Link } from './link.ts';
export { endLeftBehind } from './pid-record.ts';
export { superviseProcesses } from './supervise-processes.ts';
export type { Slot } from './child.ts';
export type { Watch } from './watch.ts';
