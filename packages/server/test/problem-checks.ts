// What problems of one kind have in common, checked in one place.
import assert from 'node:assert/strict';
import type { QuotaAction, Scope } from '@colophon/contract';
import { assertProblem } from './harness.ts';
import type { Response } from './harness.ts';

interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly allowed_values?: readonly unknown[];
}

/** validation-failed with a fault at just this place; answers the fault. */
export function assertFault(response: Response, pointer: string, code?: string): Fault {
  assertProblem(response, 'validation-failed');
  const faults = response.body.errors as readonly Fault[];
  const fault = faults.find((one) => one.pointer === pointer);
  assert.ok(fault, `no fault at ${pointer}: ${JSON.stringify(faults)}`);
  assert.ok(fault.detail.length > 5, 'the fault says what to send instead');
  if (code !== undefined) assert.equal(fault.code, code);
  return fault;
}

/** insufficient-scope that says what is needed and what the token has, in the problem and the header. */
export function assertMissingScope(response: Response, ...required: readonly Scope[]): void {
  assertProblem(response, 'insufficient-scope');
  assert.deepEqual(response.body.required_scopes, required);
  assert.ok(Array.isArray(response.body.held_scopes));
  for (const scope of required) assert.ok(!response.body.held_scopes.includes(scope));
  const header = response.headers.get('www-authenticate') ?? '';
  assert.ok(header.startsWith('Bearer '), header);
  assert.match(header, /error="insufficient_scope"/);
  assert.ok(header.includes(`scope="${required.join(' ')}"`), header);
}

/** quota-exceeded with the window and when it turns over. */
export function assertQuotaExceeded(
  response: Response,
  action: QuotaAction,
  limit: number,
  remaining = 0,
): void {
  assertProblem(response, 'quota-exceeded');
  const { quota, retry_after_seconds: seconds } = response.body;
  assert.equal(quota.action, action);
  assert.equal(quota.limit, limit);
  assert.equal(quota.remaining, remaining);
  assert.ok(['hour', 'day', 'total'].includes(quota.window));
  const left = (Date.parse(quota.reset_at) - Date.now()) / 1000;
  assert.ok(
    Math.abs(left - seconds) <= 5,
    `retry_after_seconds is ${seconds}, the window ends in ${left}`,
  );
  assert.equal(response.headers.get('retry-after'), String(seconds));
}

/** gone with the time of the removal. */
export function assertGone(response: Response): void {
  assertProblem(response, 'gone');
  assert.match(response.body.removed_at, /^\d{4}-.*Z$/);
}

/** unavailable-for-legal-reasons with the time and the reason of the removal. */
export function assertLegallyRemoved(response: Response): void {
  assertProblem(response, 'unavailable-for-legal-reasons');
  assert.match(response.body.removed_at, /^\d{4}-.*Z$/);
  assert.equal(response.body.reason_code, 'court_order');
}
