// Requests with a session as other sites and other programs send them.
import { forms } from '../../src/web/forms/index.ts';
import type { TestServer } from '../harness.ts';
import { encodePairs, filledIn } from './shown-forms.ts';
import type { MetForm } from './walk.ts';

/** A valid request of a session, except for the headers of its sender. */
export interface Sending {
  readonly what: string;
  readonly path: string;
  readonly method: string;
  readonly body: string | undefined;
  /** It needs no session. */
  readonly isOpen: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Changes the headers of a valid request; undefined takes one away. */
export type Disguise = Readonly<Record<string, string | undefined>>;

const evil = 'https://elsewhere.example';

/** What a page of another site can make a browser send, with the cookie of the reader. */
export function fromElsewhere({
  baseUrl,
}: Pick<TestServer, 'baseUrl'>): Readonly<Record<string, Disguise>> {
  const { host, port } = new URL(baseUrl);
  return {
    'another origin': { origin: evil, 'sec-fetch-site': 'cross-site' },
    'another origin, an old browser': { origin: evil, 'sec-fetch-site': undefined },
    'no origin': { origin: undefined },
    'no origin, an old browser': { origin: undefined, 'sec-fetch-site': undefined },
    'an empty origin': { origin: '' },
    'the origin null': { origin: 'null', 'sec-fetch-site': undefined },
    'a forged origin': { origin: `${baseUrl}.elsewhere.example` },
    'an origin with a user': { origin: `http://${host}@elsewhere.example` },
    'the other scheme': { origin: `https://${host}` },
    'another port': { origin: baseUrl.replace(port, '1') },
    'two origins': { origin: `${baseUrl}, ${evil}` },
    'the origin with a slash': { origin: `${baseUrl}/` },
    'a subdomain': { origin: `http://blog.${host}`, 'sec-fetch-site': 'same-site' },
    'the same site': { 'sec-fetch-site': 'same-site' },
    'a frame of another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
    'typed by hand': { 'sec-fetch-site': 'none' },
    'an unknown site': { 'sec-fetch-site': 'SAME-ORIGIN' },
    'a referrer in place of the origin': { origin: undefined, referer: `${baseUrl}/` },
    'a forwarded host': {
      origin: evil,
      'sec-fetch-site': undefined,
      'x-forwarded-host': 'elsewhere.example',
    },
  };
}

/** Other credentials than the session. */
export function otherCredentials(
  cookie: string | undefined,
  token: string,
): Readonly<Record<string, Disguise>> {
  const [name = '', secret = ''] = (cookie ?? '').split('=');
  return {
    'no session': { cookie: undefined },
    'a token': { cookie: undefined, authorization: `Bearer ${token}` },
    'a token in the cookie': { cookie: `${name}=${token}` },
    'the session in the header': { cookie: undefined, authorization: `Bearer ${secret}` },
    'a session cut short': { cookie: `${name}=${secret.slice(0, -1)}` },
    'a session of another length': { cookie: `${name}=${secret}${secret}` },
    'the cookie under the other name': { cookie: `__Host-session=${secret}` },
    'the cookie in other letters': { cookie: `${name.toUpperCase()}=${secret}` },
    'an empty cookie': { cookie: `${name}=` },
  };
}

/** The types that a page of another site may send without asking (Fetch, CORS-safelisted), and JSON. */
export const otherTypes: Readonly<Record<string, Disguise>> = {
  'plain text': { 'content-type': 'text/plain' },
  'plain text, named as a form': {
    'content-type': 'text/plain; application/x-www-form-urlencoded',
  },
  multipart: { 'content-type': 'multipart/form-data; boundary=x' },
  json: { 'content-type': 'application/json' },
  'no type': { 'content-type': '' },
  'two types': { 'content-type': 'text/plain, application/x-www-form-urlencoded' },
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request with the cookie and the headers of a page of this site, except for the disguise. */
export async function send(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  cookie: string | undefined,
  { path, method, body, headers }: Sending,
  disguise: Disguise = {},
): Promise<Answer> {
  const sound = {
    'user-agent': 'Mozilla/5.0',
    origin: baseUrl,
    'sec-fetch-site': 'same-origin',
    cookie,
    ...headers,
  };
  const all = Object.entries({ ...sound, ...disguise });
  const sent = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const response = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: sent as [string, string][],
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the request that a browser without scripts sends for a form. */
export function sendingOf({ pattern, name, action, form }: MetForm): Sending {
  return {
    what: `${pattern} ${name}`,
    path: action,
    method: 'POST',
    body: encodePairs(filledIn(form)),
    isOpen: forms[pattern]?.[name]?.isOpen === true,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  };
}
