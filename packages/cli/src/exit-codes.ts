// The exit codes of the program. They are part of its interface: a code never changes its meaning.
import type { ProblemName } from '@colophon/sdk';

export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  no: 3,
  network: 28,
  gateway: 29,
  interrupted: 130,
} as const;

/** The exit code of each problem type. */
export const problemExits: Readonly<Record<ProblemName, number>> = {
  'invalid-request': 10,
  unauthenticated: 11,
  forbidden: 12,
  'insufficient-scope': 13,
  'not-found': 14,
  conflict: 15,
  'idempotency-in-progress': 16,
  'idempotency-key-reuse': 17,
  gone: 18,
  'precondition-failed': 19,
  'precondition-required': 20,
  'payload-too-large': 21,
  'validation-failed': 22,
  'rate-limited': 23,
  'quota-exceeded': 24,
  'unavailable-for-legal-reasons': 25,
  'internal-error': 26,
  unavailable: 27,
};

/** Returns the codes with their meanings, for the help and the README. */
export function exitTable(): readonly (readonly [number, string])[] {
  return [
    [exits.done, 'success'],
    [
      exits.failed,
      'the program failed: an unexpected error, or a file that cannot be read or written',
    ],
    [exits.usage, 'the command line is wrong'],
    [
      exits.no,
      'the answer is no: `diff` found differences, `verify` did not confirm the proof, `log` found a fault',
    ],
    ...Object.entries(problemExits).map(([name, code]) => [code, `problem \`${name}\``] as const),
    [exits.network, 'no response arrived: the address, the network or the service'],
    [exits.gateway, 'the response was not written by the service'],
    [exits.interrupted, 'interrupted by Ctrl-C'],
  ];
}
