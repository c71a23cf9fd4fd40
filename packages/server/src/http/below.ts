// Errors below the framework (broken framing, headers too large, time-outs, CONNECT): problems all the same.
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { requestIdOf } from './request-id.ts';
import { rawProblem } from './respond.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

const sentences: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are over the limit of 16 KiB. Send fewer or shorter ones.',
  ERR_HTTP_REQUEST_TIMEOUT:
    'The request took too long to arrive. Send its headers within 10 seconds.',
  HPE_INVALID_METHOD: 'The request line is not HTTP/1.1. Send METHOD SP PATH SP HTTP/1.1.',
};

function told(error: ParserError): Problem {
  const detail =
    sentences[error.code ?? ''] ??
    `The message is not well-formed HTTP${error.reason ? `: ${error.reason}` : ''}.`;
  return problem('invalid-request', detail);
}

type Current = Socket & { readonly _httpMessage?: ServerResponse | null };

/** Writes a whole problem and ends the connection, unless another answer is already on the wire. */
function end(
  socket: Socket,
  error: Problem,
  errorsBaseUrl: string,
  requestId = requestIdOf({ headers: {} }),
): void {
  const answering = (socket as Current)._httpMessage;
  if (socket.writable && !answering?.headersSent) {
    socket.end(rawProblem(error, { errorsBaseUrl, requestId }), () => socket.destroySoon());
  } else {
    socket.destroy();
  }
}

/** Handler for Fastify's `clientErrorHandler`. */
export function clientErrors(errorsBaseUrl: string) {
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    end(socket, told(error), errorsBaseUrl);
  };
}

/** CONNECT and unknown expectations never reach the framework. */
export function listenBelow(server: Server, errorsBaseUrl: string): void {
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    end(
      socket,
      problem('not-found', 'CONNECT is not served here.'),
      errorsBaseUrl,
      requestIdOf(message),
    );
  });
  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    const detail = 'The header Expect takes only 100-continue. Leave it out.';
    end(
      response.socket as Socket,
      problem('invalid-request', detail),
      errorsBaseUrl,
      requestIdOf(message),
    );
  });
}
