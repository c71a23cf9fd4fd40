// A form that was refused, for the page that shows it again.
import type { Problem } from '#http';

export interface Refused {
  /** The name of the form on its page. */
  readonly name: string;
  readonly fields: URLSearchParams;
  readonly problem: Problem;
  /** What is wrong with each field, by its name. */
  readonly faults: ReadonlyMap<string, string>;
}
