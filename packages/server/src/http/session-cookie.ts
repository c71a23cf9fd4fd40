// The cookie of a session, and the check that a request comes from a page of this site.
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from './problem.ts';

/** The secret of a session that was opened, for the browser. */
export interface NewSessionCookie {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** What a request reveals of the browser. */
export interface Browser {
  readonly userAgent: string | undefined;
  /** The network address behind trusted proxies. */
  readonly address: string;
}

export interface SessionCookies {
  /** Returns the value of the cookie; undefined if there is none. */
  readonly read: (headers: IncomingHttpHeaders) => string | undefined;
  /** Returns Set-Cookie for a new session, or for one that has ended. */
  readonly write: (session: NewSessionCookie | 'ended') => string;
  /** @throws forbidden: a page of another site sends the request, or nothing shows which one */
  readonly requireOwnPage: (headers: IncomingHttpHeaders) => void;
  /** @throws forbidden: a page of another site reads */
  readonly refuseOtherSites: (headers: IncomingHttpHeaders) => void;
}

const maxHeader = 8_192;

function foreign(origin: string) {
  return problem(
    'forbidden',
    `This is accepted from pages of ${origin} only. Open the page again and send it from there.`,
  );
}

/**
 * With https the name begins with `__Host-`: browsers take such a cookie only from this host, and only over
 * https (RFC 6265bis, 4.1.3.2). Over http, on a loopback address, they would refuse it.
 */
export function sessionCookies({ baseUrl }: { readonly baseUrl: string }): SessionCookies {
  const { origin, protocol } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const name = secure ? '__Host-session' : 'colophon_session';
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: ({ cookie = '' }) => {
      if (cookie.length > maxHeader) return undefined;
      const pair = cookie.split(';').find((one) => one.trimStart().startsWith(`${name}=`));
      return pair?.slice(pair.indexOf('=') + 1).trim();
    },
    write: (session) =>
      session === 'ended'
        ? `${name}=; Max-Age=0${attributes}`
        : `${name}=${session.secret}; Expires=${session.expiresAt.toUTCString()}${attributes}`,
    requireOwnPage: (headers) => {
      const site = headers['sec-fetch-site'];
      if (headers.origin !== origin || (site !== undefined && site !== 'same-origin'))
        throw foreign(origin);
    },
    refuseOtherSites: ({ 'sec-fetch-site': site }) => {
      if (site === 'cross-site' || site === 'same-site') throw foreign(origin);
    },
  };
}
