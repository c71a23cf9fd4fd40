// The service as pages name it: its addresses below BASE_URL, and what holds for each of its pages.
import type { Config } from '#config';
import { pageHeaders } from './headers.ts';

export interface Site {
  readonly name: string;
  readonly baseUrl: string;
  readonly mediaBaseUrl: string;
  readonly staging: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** An address for a link: what stands before every path where BASE_URL has a path of its own. */
  readonly at: (path: string) => string;
  /** The whole address. */
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

/** A path with its query; what is undefined is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
