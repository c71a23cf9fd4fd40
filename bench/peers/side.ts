// What the comparison knows of one server: how to start it, what to ask of it, and how to check what it did.
import type { LoadFigures, RequestTemplate } from '../parts/load.ts';
import type { JobName } from './jobs.ts';

/** One job on one server. */
export interface Work {
  /** The requests that make one operation, in their order. */
  readonly steps: readonly RequestTemplate[];
  /** Values that `{name}` becomes in the steps; each operation takes the next. */
  readonly people?: readonly Readonly<Record<string, string>>[];
  /** For reads: a text that the response contains before and after each run. */
  readonly shows?: string;
  /** For writes: how many operations the server has stored, asked of its database or its API. */
  readonly stored?: () => Promise<number>;
  /** Waits until what follows the operation is done, where the server answers before. */
  readonly settled?: () => Promise<void>;
  /** What follows is not part of the operation: its time is not counted, but its processor time is. */
  readonly followed?: boolean;
}

/** A server that is installed and filled, and runs. */
export interface Side extends AsyncDisposable {
  readonly name: string;
  /** Its version, and the software that it needs for its work. */
  readonly version: string;
  /** Starts it again on its data; returns the seconds until it was ready. */
  readonly restart: () => Promise<number>;
  readonly url: string;
  /** The processes that do its work, with their children: also its database. */
  readonly roots: () => readonly number[];
  readonly works: Readonly<Partial<Record<JobName, Work>>>;
}

/** The figures of one job on one server. */
export interface JobFigures extends Pick<LoadFigures, 'perSecond' | 'p50' | 'p99'> {
  /** Processor time of all its processes for one operation, in milliseconds. */
  readonly processorMs: number;
}
