// Problems (RFC 9457): creating and serializing them.
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';

/** One fault in a body or a parameter; `pointer` is an RFC 6901 pointer. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly allowed_values?: readonly unknown[];
}

/** Extension members, some of which are also sent as headers. */
export interface ProblemMembers {
  readonly errors?: readonly Fault[];
  readonly retry_after_seconds?: number;
  readonly required_scopes?: readonly string[];
  readonly held_scopes?: readonly string[];
  readonly current_revision_id?: string;
  readonly removed_at?: string;
  readonly reason_code?: string;
  readonly [member: string]: unknown;
}

export interface Problem extends Error {
  readonly problem: ProblemName;
  readonly members: ProblemMembers;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a problem from the names that an operation declares; an undeclared name does not compile. */
export type Problems<E extends ProblemName> = (
  name: E,
  detail: string,
  members?: ProblemMembers,
  headers?: Readonly<Record<string, string>>,
) => Problem;

/** Creates a problem to throw. `detail` says what is wrong and what to send instead. */
export const problem: Problems<ProblemName> = (name, detail, members = {}, headers = {}) => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new Error(detail);
  Error.stackTraceLimit = limit;
  return Object.assign(error, {
    problem: name,
    members,
    headers: { ...derivedHeaders(name, members), ...headers },
  });
};

function derivedHeaders(name: ProblemName, members: ProblemMembers): Record<string, string> {
  const headers: Record<string, string> = {};
  if (name === 'unauthenticated') headers['www-authenticate'] = 'Bearer realm="colophon"';
  if (members.retry_after_seconds !== undefined) {
    headers['retry-after'] = String(members.retry_after_seconds);
  }
  if (members.current_revision_id !== undefined)
    headers['etag'] = `"${members.current_revision_id}"`;
  return headers;
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && typeof (error as Partial<Problem>).problem === 'string';
}

/** Returns a validation-failed problem that lists all faults. */
export function invalid(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const more = faults.length > 1 ? ` ${faults.length - 1} more in \`errors\`.` : '';
  const detail = first
    ? `${first.pointer || 'The body'}: ${first.detail.replace(/\.$/, '')}.${more}`
    : 'The body is invalid.';
  return problem('validation-failed', detail, { errors: faults });
}

/** Returns the document of RFC 9457 section 3, with the extension members. */
export function problemDocument(
  error: Problem,
  place: { readonly errorsBaseUrl: string; readonly requestId: string; readonly instance?: string },
): Record<string, unknown> {
  const { status, title } = problems[error.problem];
  return {
    type: `${place.errorsBaseUrl}/${error.problem}`,
    title,
    status,
    detail: error.message,
    ...(place.instance === undefined ? {} : { instance: place.instance }),
    request_id: place.requestId,
    ...error.members,
  };
}
