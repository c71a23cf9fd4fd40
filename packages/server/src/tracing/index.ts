// The door of traces. Only a process that records them loads it: the packages below it are optional.
export { openTraces } from './open-traces.ts';
export { tracedCalls } from './traced-calls.ts';
export { tracedDatabase, tracedReads } from './traced-database.ts';
export type { Attributes, Span, SpanOptions, Traces } from './traces.ts';
