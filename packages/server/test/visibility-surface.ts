// What a way to an article is, for the table of visibility.
import type { OperationName } from '@colophon/contract';
import type { Asked, Response } from './harness.ts';
import type { Combination } from './visibility-cases.ts';

/** An article with two revisions; the first is published wherever one is. */
export interface Scenario {
  readonly id: string;
  readonly authorId: string;
  /** A topic that no other article has. */
  readonly topic: string;
  readonly first: string;
  readonly second: string;
}

export type Result = string | number;

export interface Surface {
  readonly operation: OperationName;
  readonly ask: (
    scenario: Scenario,
    combination: Combination,
  ) => readonly [method: string, path: string, asked?: Asked];
  readonly expected: (combination: Combination) => Result;
  /** What an answer means for this surface, where it is not its status or its problem. */
  readonly seen?: (response: Response, scenario: Scenario) => Result;
  /** It changes what it succeeds on. */
  readonly changes?: true;
}
