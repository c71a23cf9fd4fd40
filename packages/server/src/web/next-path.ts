// Where signing in leads: a page of this site, named by the parameter `next`.
import type { Elsewhere, PageRequest } from './context.ts';
import { queryValue } from './context.ts';
import { withQuery } from './site.ts';
import type { Site } from './site.ts';

const pathMax = 2_048;
/** A single slash at the start; no backslash, white space or character that is not shown. */
const pathPattern = /^\/(?:[^\\\p{C}\p{Z}]*)$/u;

/**
 * Returns the path in the parameter `next`; undefined if there is none or it leads to another site: then it is
 * ignored (open redirect). Browsers read `//` and `\` as the beginning of a host and skip control characters,
 * so none of these is accepted anywhere.
 */
export function nextPath(
  site: Pick<Site, 'baseUrl' | 'at'>,
  asked: PageRequest,
): string | undefined {
  return localPath(site, queryValue(asked, 'next'));
}

/** Returns the path of a page of this site as it was given; undefined if it leads to another one. */
export function localPath(
  { baseUrl, at }: Pick<Site, 'baseUrl' | 'at'>,
  path: string | undefined,
): string | undefined {
  if (path === undefined || path.length > pathMax) return undefined;
  if (!pathPattern.test(path) || path.includes('//')) return undefined;
  const url = URL.parse(at(path), baseUrl);
  const isHere = url?.origin === new URL(baseUrl).origin && url.pathname.startsWith(at('/'));
  return isHere ? path : undefined;
}

/** Where people go who have signed in, unless another page sent them. */
export const home = '/';

/** Returns a link to `/join` or `/sign-in` that leads to the same page in the end. */
export function beforehand(path: '/join' | '/sign-in', next: string | undefined): string {
  return withQuery(path, { next: next === home ? undefined : next });
}

/** Sends a reader without a session to sign in and back to the page asked for. */
export function signInFirst({ request }: Pick<PageRequest, 'request'>): Elsewhere {
  return { elsewhere: beforehand('/sign-in', request.url), temporary: true };
}
