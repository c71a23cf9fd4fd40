// What a condition is: a case in which what is asked for decides about the scope.
import type { OperationName, Scope } from '@colophon/contract';
import type { Asked, Human, Response } from '../harness.ts';

type Written = Response['body'];

/** A person, an agent of theirs, and what both have. */
export interface Scenario {
  readonly human: Human;
  readonly agent: Human;
  readonly draft: Written;
  readonly secret: Written;
  readonly article: Written;
  readonly agentsDraft: Written;
  readonly keyId: string;
  /** Tokens that are there to be revoked. */
  readonly spare: string;
  readonly agentsSpare: string;
  /** Exports that are ready. */
  readonly exportId: string;
  readonly agentsExportId: string;
}

export interface Condition {
  readonly operation: OperationName;
  /** What is asked for, and why that needs more. */
  readonly when: string;
  readonly who: 'human' | 'agent';
  /** Each of these, beside the declared scope, is enough. The first is the one that a refusal names. */
  readonly anyOf: readonly [Scope, ...Scope[]];
  /** Changes nothing that the next token would find changed. */
  readonly ask: (scenario: Scenario) => readonly [path: string, asked?: Asked];
}
