// The site as pages see it: URLs below BASE_URL, and settings that apply to every page.
import type { Config } from '#config';
import { pageHeaders } from './headers.ts';

export interface Site {
  readonly name: string;
  readonly baseUrl: string;
  readonly mediaBaseUrl: string;
  readonly staging: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns a path for a link, with the path of BASE_URL in front if it has one. */
  readonly at: (path: string) => string;
  /** Returns the absolute URL. */
  readonly url: (path: string) => string;
}

export function siteOf(config: Config): Site {
  const { baseUrl, mediaBaseUrl } = config;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return {
    name: 'Colophon',
    baseUrl,
    mediaBaseUrl,
    staging: config.deployment === 'staging',
    headers: pageHeaders(config),
    at: (path) => `${prefix}${path}`,
    url: (path) => `${baseUrl}${path}`,
  };
}

/** Returns a path with its query. Undefined parameters are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/**
 * Returns the address without the parameters that are empty; undefined if there are none. A form sends all its fields,
 * and people pass such addresses on.
 */
export function withoutEmpty(path: string, query: URLSearchParams): string | undefined {
  const given = [...query].filter(([, value]) => value !== '');
  if (given.length === query.size) return undefined;
  const shorter = new URLSearchParams(given).toString();
  return shorter === '' ? path : `${path}?${shorter}`;
}
