// Sends spans to the collector, and logs when it stops to take them and when it takes them again.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '#config';

/** The log of traces; pino fits. */
export interface Log {
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
}

/**
 * Opens the exporter. It sends to the address of the settings only: it follows no redirect and reads no setting
 * for proxies.
 */
export function openExporter(settings: TraceSettings, log: Log): SpanExporter {
  const { url, headers, timeoutMs, compression } = settings;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    compression: compression as never,
    // More would wait beside the queue, which has a limit of its own.
    concurrencyLimit: 2,
  });
  let failing = false;

  function note(error: Error | undefined, failed: boolean): void {
    if (failed === failing) return;
    failing = failed;
    if (failed)
      log.warn(
        { err: { message: error?.message, name: error?.name } },
        'The collector of traces does not take spans; they are dropped until it does.',
      );
    else log.info({}, 'The collector of traces takes spans again.');
  }

  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(result.error, result.code !== 0);
        // The processor would report the failure once more, as an error that nobody handles.
        done({ code: 0 });
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
