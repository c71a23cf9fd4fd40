// What the page of the operator shows: the findings of doctor, and the figures behind them.

export interface StatusFinding {
  readonly what: string;
  readonly well: boolean;
  readonly text: string;
}

export interface ParkedJob {
  readonly type: string;
  readonly subscriber: string;
  readonly message_id: string | null;
  readonly last_error: string | null;
}

export interface ServiceStatus {
  readonly at: string;
  readonly findings: readonly StatusFinding[];
  /** null: the database does not respond. */
  readonly pipeline: {
    readonly waiting: number;
    readonly oldestSeconds: number | null;
    readonly parked: number;
    readonly jobs: readonly ParkedJob[];
  } | null;
  readonly disk: {
    readonly freeBytes: number;
    readonly totalBytes: number;
    readonly reserveBytes: number;
  } | null;
  readonly versions: Readonly<Record<string, string>>;
}
