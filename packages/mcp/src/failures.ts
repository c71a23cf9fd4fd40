// Failures of tools: problem documents as the service sent them, and what a caller can do next.
import { scopeWords } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { isProblem } from '@colophon/sdk';
import type { ProblemError } from '@colophon/sdk';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { logError } from './log.ts';
import { documentOf } from './service.ts';
import { isRefusal } from './tools/refusal.ts';
import type { Tool } from './tools/tool.ts';

const notHere = 'Never ask for a token in this conversation.';

const unreached =
  'The call did not reach the service, which may be starting again: nothing was done. Call again in a minute.';

function scopeAdvice({ problem }: ProblemError): string {
  const required = (problem.required_scopes ?? []).map((scope) => {
    const words = scopeWords[scope as Scope];
    return words === undefined ? `${scope}.` : `${scope}. It allows: ${words}`;
  });
  return (
    `The token lacks the scope ${required.join(' Also ')} To get it, somebody whose token has the scope issues a ` +
    'token that carries it (`colophon token issue`, or POST /v1/tokens). The operator of this tool host then ' +
    `sets it as COLOPHON_TOKEN, or a caller over HTTP sends it as Authorization: Bearer. ${notHere}`
  );
}

/** Returns how to go on after a call whose outcome is unknown. */
export function repetitionOf({ input, annotations }: Tool, idempotencyKey?: string): string {
  if (annotations.readOnlyHint) return 'The call changes nothing: send it again.';
  if (idempotencyKey !== undefined && 'idempotency_key' in input.properties)
    return (
      'The outcome is unknown. To repeat the call so that it takes effect once, send the same arguments with ' +
      `idempotency_key ${idempotencyKey}.`
    );
  const advice = annotations.idempotentHint
    ? 'Send it again: a second time has no further effect.'
    : 'Read what it changes first, and send it again only if nothing has changed.';
  return `The outcome is unknown: the call may have taken effect. ${advice}`;
}

/** A new revision is written by what the tools call things: the problem speaks of requests. */
function staleAdvice({ problem }: ProblemError): string {
  return (
    'Nothing was changed. Call read_thread with the id and view latest, apply your change to the content that it ' +
    `shows, and call again with expected_revision_id ${String(problem['current_revision_id'])}.`
  );
}

/** Returns what to do next, where the problem document alone does not say it. */
function adviceOf(error: ProblemError, repetition: string | undefined): string | undefined {
  if (isProblem(error, 'insufficient-scope')) return scopeAdvice(error);
  if (isProblem(error, 'precondition-failed')) return staleAdvice(error);
  if (isProblem(error, 'unauthenticated'))
    return (
      'The operator of this tool host sets a valid token as COLOPHON_TOKEN, or a caller over HTTP sends it as ' +
      `Authorization: Bearer. ${notHere}`
    );
  if (error.outcomeUnknown) return repetition;
  // Any other one says itself what is wrong with the address.
  return error.source === 'network' && error.retryable ? unreached : undefined;
}

/**
 * Returns a problem as an error of the protocol, which carries the document. The params are not at fault when the
 * service did not answer: the status is 0 then.
 */
export function protocolErrorOf(error: ProblemError): ProtocolError {
  const { title, status } = error.problem;
  const isOurs = error.source !== 'service' || status >= 500;
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, title, documentOf(error).members);
}

/** Whether the client refused to send the input. Any other TypeError is a fault of this program. */
function isInputError(error: unknown): error is TypeError & { readonly code: string } {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_INPUT';
}

/**
 * Returns the result of a failed call: the problem document, byte for byte as the service wrote it, then
 * advice if there is any; for an unknown outcome that is `repetition`. Logs what is neither a problem, a refusal
 * nor input that cannot be sent: a fault of this program.
 */
export function failureOf(error: unknown, repetition?: string): CallToolResult {
  if (isProblem(error)) {
    const { text: document, members } = documentOf(error);
    const advice = adviceOf(error, repetition);
    const texts = advice === undefined ? [document] : [document, advice];
    return {
      isError: true,
      content: texts.map((text) => ({ type: 'text', text })),
      structuredContent: members,
    };
  }
  if (isRefusal(error) || isInputError(error))
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  logError(error);
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    'The tool host failed. Its log has the details.',
  );
}
