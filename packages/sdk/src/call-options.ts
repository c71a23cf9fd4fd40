// What surrounds a call: its options, the head of its reply, and a page of a list.

export interface RetryOptions {
  /** Requests for one call, the first included; 1 is no retry. Default 4. */
  readonly attempts?: number;
  /** Ceiling of the first wait; doubled for each later one. Default 250. */
  readonly baseMs?: number;
  /** Ceiling of every wait that the service does not name. Default 8,000. */
  readonly capMs?: number;
  /**
   * The longest wait that is slept on. A problem that asks for a longer one (an allowance that opens
   * tomorrow) is thrown at once. Default 30,000.
   */
  readonly longestWaitMs?: number;
  /** How long one request may take until its answer is whole; 0 is for ever. Default 60,000. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Instead of a minted key, for a caller that retries over its own restarts: 8 to 255 characters. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the call, its waits and its retries; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as X-Request-Id (8 to 64 URL-safe characters). Not in browsers: CORS does not allow it. */
  readonly requestId?: string | undefined;
}

/** What surrounds a body. */
export interface ReplyHead {
  /** As the service sent them; in a browser, those that CORS exposes. */
  readonly headers: Headers;
  /** With its quotes, as `if_match` takes it. */
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly request_id: string | undefined;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** How many requests were sent for this call. */
  readonly attempts: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}
