// Sends errors below Fastify (broken framing, oversized headers, timeouts, CONNECT) as problems.
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AllowedMethods } from './paths.ts';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { requestIdOf } from './request-id.ts';
import { bareProblem, rawProblem } from './respond.ts';
import type { BelowFramework } from './respond.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** The bytes that were being parsed, and how many of them were. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const sentences: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers exceed the limit of 16 KiB. Send fewer or shorter ones.',
  ERR_HTTP_REQUEST_TIMEOUT:
    'The request took too long to arrive. Send its headers within 10 seconds.',
  HPE_INVALID_METHOD:
    'The request line is not HTTP/1.1: send METHOD SP PATH SP HTTP/1.1, with a method in upper case such as GET.',
};

const requestLine = /^[\w!#$%&'*+.^`|~-]+ (\/[!-~]*) HTTP\/1\.[01]\r\n/;

/**
 * Returns the path of a request whose line is well-formed, with a method that the parser does not know. The
 * error is inside the method, so the line begins behind the last line feed before it.
 */
function pathOfUnknownMethod({ code, rawPacket, bytesParsed }: ParserError): string | undefined {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return undefined;
  const begin = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1;
  return requestLine.exec(rawPacket.toString('latin1', begin))?.[1]?.split('?')[0];
}

function unknownMethod(methods: readonly string[]): Problem {
  const [does, headers] =
    methods.length > 0
      ? [`This path supports ${methods.join(', ')}`, { allow: methods.join(', ') }]
      : ['This path does not exist either', {}];
  return problem('not-found', `The method is not known. ${does}.`, {}, headers);
}

function problemFor(error: ParserError, allowed: AllowedMethods): Problem {
  const path = pathOfUnknownMethod(error);
  if (path !== undefined) return unknownMethod(allowed(path));
  const detail =
    sentences[error.code ?? ''] ??
    `The message is not well-formed HTTP${error.reason ? `: ${error.reason}` : ''}.`;
  return problem('invalid-request', detail);
}

type Current = Socket & { readonly _httpMessage?: ServerResponse | null };

/** Connections whose error was answered: further parser errors are ignored. */
const ending = new WeakSet<Socket>();

/**
 * Writes a complete problem and closes the connection, unless another answer is already being sent. A request
 * that arrived completely before the malformed bytes gets its own answer first: it may have taken effect.
 */
function end(socket: Socket, text: string): void {
  const answering = (socket as Current)._httpMessage;
  if (answering?.req.complete) {
    // The next response in the pipeline takes over the connection before this event.
    answering.once('close', () => end(socket, text));
  } else if (socket.writable && !answering?.headersSent) {
    socket.end(text, () => socket.destroySoon());
  } else {
    socket.destroy();
  }
}

function endOnce(socket: Socket, error: Problem, place: BelowFramework): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  // Node has removed its own listeners here; the error of a disconnected client would end the process.
  socket.on('error', () => socket.destroy());
  end(socket, rawProblem(error, place));
}

type Deployment = Omit<BelowFramework, 'requestId'>;

/** Returns the handler for Fastify's `clientErrorHandler`. */
export function clientErrors({ errorsBaseUrl, deployment }: Deployment, allowed: AllowedMethods) {
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) {
      // Nothing was asked. A client would take an answer for that to the request that it sends next.
      socket.destroy();
      return;
    }
    const requestId = requestIdOf({ headers: {} });
    endOnce(socket, problemFor(error, allowed), { errorsBaseUrl, deployment, requestId });
  };
}

/** Answers CONNECT, which never reaches Fastify. */
export function refuseConnect(server: Server, { errorsBaseUrl, deployment }: Deployment): void {
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    const error = problem('not-found', 'CONNECT is not supported.');
    endOnce(socket, error, { errorsBaseUrl, deployment, requestId: requestIdOf(message) });
  });
}

/** Returns what answers a request with an unknown expectation, which does not reach Fastify either. */
export function expectationRefusal({ errorsBaseUrl, deployment }: Deployment) {
  return (message: IncomingMessage, response: ServerResponse): void => {
    const detail = 'The header Expect supports only 100-continue. Leave it out.';
    const place = { errorsBaseUrl, deployment, requestId: requestIdOf(message) };
    const { status, headers, body } = bareProblem(problem('invalid-request', detail), place);
    // Sent through the response, which keeps its place behind earlier requests.
    response.writeHead(status, headers).end(body);
  };
}
