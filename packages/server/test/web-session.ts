// A browser for tests of ceremonies: it keeps the cookie of its session and sends the headers of its page.
import assert from 'node:assert/strict';
import { openAuthenticator } from './authenticator.ts';
import type { Authenticator } from './authenticator.ts';
import { freshName } from './harness.ts';
import type { Asked, Response, TestServer } from './harness.ts';
import { fetchPage } from './page.ts';
import type { FetchedPage } from './page.ts';

export interface TestBrowser {
  readonly cookie: () => string | undefined;
  ask(method: string, path: string, asked?: Asked): Promise<Response>;
  /** Sends the encoded fields of a form to the path of a page, as a browser does without scripts. */
  sendForm(path: string, fields: string, headers?: Asked['headers']): Promise<SentForm>;
  /** Fetches a page with the session. */
  page(path: string): Promise<FetchedPage>;
  /** Joins with a new passkey, and is signed in afterwards. */
  join(username?: string): Promise<Joined>;
  signIn(passkey: Authenticator): Promise<Response>;
  /** Confirms with the passkey that its owner is present. */
  check(passkey: Authenticator): Promise<Response>;
  addPasskey(passkey: Authenticator): Promise<Response>;
}

/** The answer to a form, whose redirect is not followed. */
export interface SentForm {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Joined {
  readonly username: string;
  readonly passkey: Authenticator;
  readonly recoveryCodes: readonly string[];
}

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export function openBrowser(server: TestServer): TestBrowser {
  let cookie: string | undefined;

  /** The headers of a request from its own page. */
  const own = () => ({
    'user-agent': agent,
    origin: server.baseUrl,
    'sec-fetch-site': 'same-origin',
    ...(cookie === undefined ? {} : { cookie }),
  });

  async function ask(method: string, path: string, asked: Asked = {}): Promise<Response> {
    const response = await server.ask(method, path, {
      ...asked,
      headers: { ...own(), ...asked.headers },
    });
    const set = response.headers.get('set-cookie');
    if (set !== null) cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
    return response;
  }

  async function answered(
    path: string,
    credential: (options: never) => unknown,
  ): Promise<Response> {
    const begun = await ask('POST', `${path}/begin`);
    if (begun.status !== 200) return begun;
    const { ceremony_id, options } = begun.body;
    return ask('POST', path, { body: { ceremony_id, credential: credential(options as never) } });
  }

  return {
    cookie: () => cookie,
    ask,
    sendForm: async (path, fields, headers = {}) => {
      const response = await fetch(server.baseUrl + path, {
        method: 'POST',
        redirect: 'manual',
        body: fields,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'text/html',
          ...own(),
          ...headers,
        },
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    page: (path) => fetchPage(server, path, own()),
    join: async (username = freshName()) => {
      const passkey = openAuthenticator(server.baseUrl);
      const begun = await ask('POST', '/-/join/begin', { body: { username } });
      assert.equal(begun.status, 200);
      const { ceremony_id, options } = begun.body;
      const credential = passkey.create(options);
      const joined = await ask('POST', '/-/join', { body: { ceremony_id, credential } });
      assert.equal(joined.status, 201, JSON.stringify(joined.body));
      return { username, passkey, recoveryCodes: joined.body.recovery_codes };
    },
    signIn: (passkey) => answered('/-/sign-in', passkey.get),
    check: (passkey) => answered('/-/check', passkey.get),
    addPasskey: (passkey) => answered('/-/passkeys', passkey.create),
  };
}
