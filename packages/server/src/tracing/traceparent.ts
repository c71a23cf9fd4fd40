// The header traceparent: which span of which trace comes before (W3C Trace Context, section 3.2).
import { TraceFlags } from '@opentelemetry/api';
import type { SpanContext } from '@opentelemetry/api';

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Parses the header. `tracestate` is not read: it may contain any text.
 * @returns undefined for a malformed header, which is ignored (section 4.3)
 */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = form.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const sampled = Number.parseInt(flags ?? '', 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags: sampled, isRemote: true };
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
