// The options of a call, the head of its reply, and a page of a list.
import type { UploadProgress } from './upload-progress.ts';

/** A member that is undefined has its default. */
export interface RetryOptions {
  /** Requests for one call, including the first; 1 disables retries. Default 4. */
  readonly attempts?: number | undefined;
  /** Upper bound of the first wait in milliseconds, doubled for each later one. Default 250. */
  readonly baseMs?: number | undefined;
  /** Upper bound of every wait that the service does not specify, in milliseconds. Default 8,000. */
  readonly capMs?: number | undefined;
  /**
   * The longest wait before a retry, in milliseconds. A problem that requires a longer one (an allowance that
   * renews tomorrow) is thrown immediately. Default 30,000.
   */
  readonly longestWaitMs?: number | undefined;
  /**
   * How long one request may take until its response is complete, in milliseconds; 0 disables the limit.
   * Default 60,000; 600,000 for an upload and for a response of bytes.
   */
  readonly timeoutMs?: number | undefined;
}

export interface CallOptions {
  /** Called while the bytes of an upload are sent, and from the beginning again for a retry. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /**
   * Used in place of a generated key, for a caller that retries after its own restarts: 8 to 255 characters.
   */
  readonly idempotencyKey?: string | undefined;
  /** Cancels the call, its waits and its retries; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as X-Request-Id (8 to 64 URL-safe characters). Not in browsers: CORS does not allow it. */
  readonly requestId?: string | undefined;
}

/** The reply without its body. */
export interface ReplyHead {
  /** As the service sent them; in a browser, only those that CORS exposes. */
  readonly headers: Headers;
  /** With its quotes, as `if_match` takes it. */
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly request_id: string | undefined;
  /** Whether this is the replay of the response to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** The number of requests sent for this call. */
  readonly attempts: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}
