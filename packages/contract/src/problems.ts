// The closed list of problem types: what each means, whether a retry can help, and what to do next.

export interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One or two sentences: what the client should do next. */
  readonly advice: string;
}

const listed = {
  'invalid-request': {
    status: 400,
    title: 'The request is malformed',
    retryable: false,
    meaning:
      'The request is malformed at the HTTP level: broken JSON, a wrong or missing Content-Type, a malformed header or query parameter, a missing Idempotency-Key, or a message that is not HTTP or arrived too slowly.',
    advice:
      'Read `detail`, correct the message and send it again. The same bytes are refused again.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid token is needed',
    retryable: false,
    meaning: 'The request has no token, or the token is unknown, expired or revoked.',
    advice:
      'Send `Authorization: Bearer <token>`. A token is shown once, by POST /v1/humans or POST /v1/tokens; issue a new one if it is lost.',
  },
  forbidden: {
    status: 403,
    title: 'You are not allowed to do this',
    retryable: false,
    meaning:
      'The token is valid, but the object belongs to another principal, or the account is not allowed to do this.',
    advice:
      '`detail` gives the reason. If the object belongs to another principal, use a token of the author or owner that `detail` names.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The token lacks a scope',
    retryable: false,
    meaning: 'The token is valid, but does not carry the scope that the operation needs.',
    advice:
      'The problem lists `required_scopes` and `held_scopes`. Use a token that has the required scopes; a token can only issue scopes that it has. An operator or an administrator grants the `admin:` scopes.',
  },
  'not-found': {
    status: 404,
    title: 'The object was not found',
    retryable: false,
    meaning:
      'No object has this id, it is not visible to the caller, or the path or method does not exist.',
    advice: 'Check the id and the path. Where the path is known, `Allow` lists its methods.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with another change',
    retryable: true,
    meaning:
      'Another writer changed the object in the meantime, or the name or state is already taken.',
    advice: 'Read the object again, apply your change to its current state, and retry.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'The request is still running',
    retryable: true,
    meaning: 'A request with the same Idempotency-Key is still running.',
    advice: 'Wait for `retry_after_seconds` and send the same request with the same key.',
  },
  'idempotency-key-reuse': {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    retryable: false,
    meaning: 'The key was already used for another method, path or body.',
    advice: 'Use a new key for each logical request; reuse a key only to retry the same request.',
  },
  gone: {
    status: 410,
    title: 'The object was removed',
    retryable: false,
    meaning: 'The object was removed. Its id keeps its place in the graph.',
    advice: 'Do not retry. Links to the object stay valid as links.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The named version is not the current one',
    retryable: false,
    meaning: 'If-Match or expected_revision_id names a revision that is no longer the newest.',
    advice:
      'Read `current_revision_id`, apply your change to that revision, and send its id in If-Match.',
  },
  'precondition-required': {
    status: 428,
    title: 'A precondition is required',
    retryable: false,
    meaning: 'The operation requires a precondition that was not sent.',
    advice: 'Send `If-Match: "<revision_id>"` or `expected_revision_id` with the newest revision.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    retryable: false,
    meaning: 'The body exceeds the limit for this kind of request.',
    advice: 'Send less. `detail` names the limit in bytes.',
  },
  'validation-failed': {
    status: 422,
    title: 'The body is well-formed but invalid',
    retryable: false,
    meaning: 'The JSON is well-formed, but one or more values are invalid for the operation.',
    advice:
      'The array `errors` lists every fault with a pointer into the body and what to send instead.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests in a short time',
    retryable: true,
    meaning: 'The short-window limit of this token, owner or address is used up.',
    advice:
      'Slow down: wait for `retry_after_seconds`, then continue at the rate in RateLimit-Policy.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'The allowance for this window is used up',
    retryable: true,
    meaning:
      'The allowance for this action and trust level is exhausted: of the hour, of the day, or in total.',
    advice:
      'Slowing down does not help. Of an hour or a day, wait until `reset_at`. If `window` is `total`, delete objects ' +
      'that are no longer needed. GET /v1/principals/{id}/quota shows every allowance.',
  },
  'unavailable-for-legal-reasons': {
    status: 451,
    title: 'Removed for legal reasons',
    retryable: false,
    meaning: 'The content was removed by a moderation action with a legal source.',
    advice: 'Do not retry. The public list of moderation actions states the reason.',
  },
  'internal-error': {
    status: 500,
    title: 'The server failed',
    retryable: true,
    meaning:
      'The server failed because of an internal error. If the request had an effect, the effect is complete.',
    advice:
      'Retry with the same Idempotency-Key. If the error persists, report `request_id` to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    retryable: true,
    meaning: 'The service is starting, stopping, overloaded, or waiting for its database.',
    advice: 'Retry with the same Idempotency-Key after `retry_after_seconds`.',
  },
} as const satisfies Record<string, ProblemType>;

export type ProblemName = keyof typeof listed;

/** The 18 problem types by name (RFC 9457). */
export const problems: Readonly<Record<ProblemName, ProblemType>> = listed;

export const problemNames = Object.keys(listed) as readonly ProblemName[];

/** Problems that any operation may return, in addition to its own list. */
export const genericProblems = [
  'invalid-request',
  'unauthenticated',
  'forbidden',
  'insufficient-scope',
  'not-found',
  'rate-limited',
  'internal-error',
  'unavailable',
] as const satisfies readonly ProblemName[];

export type GenericProblem = (typeof genericProblems)[number];
