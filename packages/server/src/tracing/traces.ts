// What the parts of the service use to record spans. They import these types only.

/**
 * What a span says: names of this program, numbers and states. Never a text, token, address or parameter of
 * anybody.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** Its role among processes (OpenTelemetry, SpanKind); `internal` by default. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** Begins a trace, whatever the current span is. */
  readonly root?: boolean;
  /** The span above it, as `traceparent` (W3C Trace Context, section 3.2); malformed: there is none. */
  readonly parent?: string | undefined;
  /** Spans of other traces that led to it, in the same form. */
  readonly links?: readonly string[];
}

/** A span that has begun. */
export interface Span {
  /** In the form of the header `traceparent`. */
  readonly traceparent: string;
  /** Whether it will be sent; otherwise it only passes its trace on. */
  readonly isRecorded: boolean;
  /** Runs `work` with this span as the current one. */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** Marks it as failed, with the kind of the error and nothing that the error says. */
  fail(error: unknown): void;
  end(): void;
}

export interface Traces extends AsyncDisposable {
  /** Begins a span below the current one, unless the options say otherwise. */
  start(name: string, options?: SpanOptions): Span;
  /** Records `work` as a span, from its call until its promise is settled. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
}
