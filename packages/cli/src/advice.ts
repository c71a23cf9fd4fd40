// What to do next about a problem that the service has answered with, in commands.
import type { ProblemError, ProblemName } from '@colophon/sdk';
import { adviceFor } from './invocation.ts';
import type { Invocation } from './invocation.ts';

type Hint = (error: ProblemError, invocation: Invocation) => string;

/** A token cannot issue what it lacks, and nobody issues the scopes of administrators for themselves. */
function scopeHint(required: readonly string[]): string {
  const names = required.join(', ');
  if (required.some((scope) => scope.startsWith('admin:')))
    return `An operator or an administrator must grant ${names}.`;
  return (
    `Use a token that has ${names}: --profile names another account. ` +
    'A token can only issue scopes that it has.'
  );
}

/** A total never renews: only less stored makes room. */
function allowanceHint({ quota }: ProblemError['problem']): string {
  if (quota === undefined) return 'Wait until the allowance renews.';
  if (quota.window === 'total')
    return 'Delete objects that you no longer need: this allowance is a total, and waiting does not help.';
  return quota.remaining > 0
    ? `Send less, or wait until ${quota.reset_at}.`
    : `Wait until ${quota.reset_at}.`;
}

/** Says which token is not valid, where a new one is made, and where it belongs. */
function tokenHint({ token }: Invocation): string {
  if (token === undefined)
    return 'Create an account with `colophon signup`, or store a token with `colophon profile add NAME --url URL`.';
  const { url, profile, isGiven } = token;
  const make = `Make a new one at ${url.replace(/(?<!\/)\/+$/, '')}/settings/tokens`;
  if (isGiven)
    return `The token that you gave is not valid: check that it is whole. If it is revoked or has expired, ${make.replace('Make', 'make')}, and give that.`;
  if (profile === undefined)
    return `The token in COLOPHON_TOKEN is not valid: check that it is whole. If it is revoked or has expired, ${make.replace('Make', 'make')}, and set COLOPHON_TOKEN to it.`;
  return `The token of the profile "${profile}" is no longer valid. ${make}, and store it: colophon profile add ${profile} --url ${url}`;
}

/** A write is repeated with its key: it may have had its effect. */
const again: Hint = ({ problem }, invocation) =>
  adviceFor(invocation)?.next ??
  `Run the same command again in ${problem.retry_after_seconds ?? 10} seconds.`;

const hints: Readonly<Record<ProblemName, Hint>> = {
  'invalid-request': () =>
    'Correct what is named above. `colophon COMMAND --help` shows what a command takes.',
  unauthenticated: (_, invocation) => tokenHint(invocation),
  forbidden: () =>
    'If it belongs to another account, use that one with --profile NAME: `colophon profile list` lists yours.',
  'insufficient-scope': ({ problem }) => scopeHint(problem.required_scopes ?? []),
  'not-found': () =>
    'Check the id, the name or the address. `colophon whoami` shows the service and the account.',
  // Nothing can be read and changed: the name belongs to somebody else.
  conflict: ({ operation }) =>
    operation === 'registerHuman'
      ? 'Choose another username, and run the command with it.'
      : 'Look at its current state, and run the command again if it still applies.',
  'idempotency-in-progress': again,
  'idempotency-key-reuse': () => 'Leave out --idempotency-key, or use a new key for a new request.',
  gone: () => 'Do not run it again: what was removed does not come back.',
  'precondition-failed': ({ problem }) =>
    `The current revision is ${problem.current_revision_id ?? 'another one'}. ` +
    'Compare with `colophon diff FILE`, take it with `colophon pull`, and apply your change again.',
  'precondition-required': () => 'Name the revision that you change: --if-match REVISION_ID.',
  'payload-too-large': () => 'Make it smaller, and run the command again.',
  'validation-failed': () => 'Correct what is named above, and run the command again.',
  'rate-limited': ({ problem }) =>
    `Run the same command again in ${problem.retry_after_seconds ?? 60} seconds.`,
  'quota-exceeded': ({ problem }) =>
    `${allowanceHint(problem)} \`colophon api read-quota --id PRINCIPAL_ID\` shows all allowances.`,
  'unavailable-for-legal-reasons': () =>
    'Do not run it again. The public list of moderation actions states the reason: `colophon api list-moderation-statements`.',
  'internal-error': (error, invocation) =>
    `${again(error, invocation)} If the failure stays, tell the operator the number of the request.`,
  unavailable: again,
};

/** Returns the advice for a problem that the service has sent. */
export function adviceAbout(error: ProblemError, invocation: Invocation): string {
  return hints[error.problem.name](error, invocation);
}
