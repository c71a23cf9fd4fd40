// Limits of the tool host over HTTP.

export interface HttpLimits {
  readonly connections: number;
  /** Open streams of events of all callers, in both revisions. */
  readonly streams: number;
  /** Those of one token, or of all callers without one. */
  readonly streamsPerCaller: number;
  readonly sessions: number;
  /** A session without requests and streams for this long ends. Its client gets 404 and begins a new one. */
  readonly idleMs: number;
  /** At the limit of sessions, one that was not used for this long ends for a new one. */
  readonly unusedMs: number;
  readonly requestBytes: number;
}

export const httpLimits: HttpLimits = {
  connections: 4096,
  streams: 1024,
  streamsPerCaller: 32,
  sessions: 1000,
  idleMs: 30 * 60_000,
  unusedMs: 60_000,
  // Room for a file of 12 MB in base64.
  requestBytes: 16 * 1024 * 1024,
};
