// The span of a job: it continues the trace of its message, or is linked to those of its messages.
import type { SpanOptions, Traces } from '#tracing';
import type { Delivered } from './messages.ts';

/** A span names no more traces than these. */
const linksMax = 100;

function optionsOf(payload: unknown): SpanOptions {
  const messages = [payload ?? []].flat() as unknown as readonly Delivered[];
  const links = messages.flatMap(({ traceparent }) => traceparent ?? []);
  const attributes = { 'messaging.batch.message_count': messages.length };
  const [only] = links;
  // Several messages have several traces: a trace of its own names them all.
  return messages.length === 1 && only !== undefined
    ? { kind: 'consumer', parent: only, attributes }
    : { kind: 'consumer', root: true, links: links.slice(0, linksMax), attributes };
}

/** Runs a job in a span named after its task. `payload` is the job's: one message, several, or none. */
export function tracedJob<T>(
  traces: Traces | undefined,
  task: string,
  payload: unknown,
  work: () => Promise<T>,
): Promise<T> {
  return traces === undefined ? work() : traces.span(task, optionsOf(payload), work);
}
