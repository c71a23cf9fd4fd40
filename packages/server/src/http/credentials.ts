// How a request shows who sends it: an access token below /v1, the cookie of a session everywhere else.
import type { IncomingHttpHeaders } from 'node:http';
import type { AnyOperation } from '@colophon/contract';
import type { Config } from '#config';
import type { AuthenticateSession } from './authenticate-session.ts';
import { readSecret } from '#lib/bucket-secret';
import { missingToken, unauthenticatedProblem } from './caller.ts';
import type { Authenticate, Beside, Caller } from './caller.ts';
import type { Problem } from './problem.ts';
import { problem } from './problem.ts';
import { sessionCookies } from './session-cookie.ts';
import type { NewSessionCookie } from './session-cookie.ts';

/** Neither kind reads the other’s credential. */
export interface Credentials {
  /** @throws forbidden: a page of another site sends a write */
  readonly checkOrigin: (
    operation: Pick<AnyOperation, 'method'>,
    headers: IncomingHttpHeaders,
  ) => void;
  readonly arePresent: (headers: IncomingHttpHeaders) => boolean;
  readonly find: (
    headers: IncomingHttpHeaders,
    address: string,
    beside: Beside | undefined,
  ) => Promise<Caller | undefined>;
  /** Why a credential that is unknown or has ended is refused; undefined if it is as none. */
  readonly unknown: () => Problem | undefined;
  readonly missing: () => Problem;
  readonly cookieOf: (session: NewSessionCookie | 'ended') => string;
}

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,512})$/i;

/** In this header a script names the account whose page it runs in. */
const readerHeader = 'colophon-reader';

/**
 * Why a page does nothing once another account has signed in: each browser has one session, and a page that is
 * still open in another tab would act for an account that its reader does not see.
 */
export function otherAccount({ username }: Pick<Caller, 'username'>): Problem {
  return problem(
    'unauthenticated',
    `Nothing was changed: this page was opened with another account, and this browser is now signed in as @${username}. Sign in with the other account again, or load the page again to go on as @${username}.`,
  );
}

/** Access tokens (RFC 6750). An invalid one is never ignored, even where none is required. */
export function bearerCredentials(authenticate: Authenticate): Credentials {
  return {
    checkOrigin: () => undefined,
    arePresent: ({ authorization }) => authorization !== undefined,
    find: async ({ authorization = '' }, _address, beside) => {
      const token = bearer.exec(authorization)?.[1];
      return token === undefined ? undefined : authenticate(token, beside);
    },
    unknown: () =>
      unauthenticatedProblem(
        'The token is unknown, expired or revoked. Send Authorization: Bearer followed by a valid token.',
        true,
      ),
    missing: missingToken,
    cookieOf: () => {
      throw new Error('An operation of the API opens no session.');
    },
  };
}

/** Sessions of the web application. One that has ended is as none: the person may sign in again. */
export function sessionCredentials(
  config: Pick<Config, 'baseUrl'>,
  authenticate: AuthenticateSession,
): Credentials {
  const cookies = sessionCookies(config);
  return {
    checkOrigin: ({ method }, headers) => {
      if (method === 'GET') cookies.refuseOtherSites(headers);
      else cookies.requireOwnPage(headers);
    },
    // Any other text was never the cookie of a session.
    arePresent: (headers) => readSecret(cookies.read(headers) ?? '') !== undefined,
    find: async (headers, address, beside) => {
      const caller = await authenticate(cookies.read(headers) ?? '', address, beside);
      const reader = headers[readerHeader];
      if (caller !== undefined && reader !== undefined && reader !== caller.id)
        throw otherAccount(caller);
      return caller;
    },
    unknown: () => undefined,
    missing: () =>
      problem('unauthenticated', 'You are not signed in, or your session has ended. Sign in.'),
    cookieOf: cookies.write,
  };
}
