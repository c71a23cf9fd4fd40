// A problem as a page, for people who followed a link.
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isNamed, preferredType, sessionCookies } from '#http';
import type { Problem, ShownProblem } from '#http';
import { maskTokens } from '@colophon/text/lib/token-text';
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import { pageText } from '../components/page-frame.ts';
import type { Reader } from '../components/page-frame.ts';
import { beforehand, localPath } from '../next-path.ts';
import { readerOf } from '../readers.ts';
import { siteOf } from '../site.ts';
import type { Site } from '../site.ts';
import { problemPicture } from './problem-picture.ts';
import { when } from '../components/components.ts';
import { formatCount } from '../components/labels.ts';
import { reasonNamed } from '../components/moderation-words.ts';

/** The texts that people see. The texts of the interface are for programs. */
const words: Readonly<
  Partial<Record<ProblemName, { readonly title: string; readonly text: string }>>
> = {
  'invalid-request': {
    title: 'This address does not work',
    text: 'A part of the address is invalid. It may have been truncated or changed.',
  },
  forbidden: {
    title: 'You cannot do this here',
    text: 'This belongs to somebody else, or your account is not allowed to do it. If it is yours, sign in with the account that made it.',
  },
  'not-found': {
    title: 'Page not found',
    text: 'The address may be wrong, or the page is not public.',
  },
  gone: {
    title: 'This page was removed',
    text: 'It was published here and has been removed. It will not return to this address.',
  },
  'unavailable-for-legal-reasons': {
    title: 'Not available for legal reasons',
    text: 'This page was removed because of a legal demand.',
  },
  'payload-too-large': {
    title: 'This is too long',
    text: 'It is longer than the service accepts. Go back: your browser still has what you typed. Shorten it, then send it again.',
  },
  'rate-limited': {
    title: 'Too many requests',
    text: 'Your network address has requested too many pages in a short time.',
  },
  unavailable: {
    title: 'Temporarily unavailable',
    text: 'The service is busy or restarting. No data is lost.',
  },
  'internal-error': {
    title: 'Something went wrong',
    text: 'The server failed, and the error was logged. Try again later.',
  },
};

/** Returns a problem as a page says it. */
export function saidOf({ problem }: Pick<Problem, 'problem'>) {
  const { title, meaning } = problems[problem];
  return words[problem] ?? { title, text: meaning };
}

/** What the session of a link lacks is said as it is. So is what is wrong with a form, which has no wrong address. */
function saidAbout({ method }: FastifyRequest, error: Problem) {
  if (error.problem === 'insufficient-scope')
    return { title: 'Not with this session', text: error.message };
  if (method !== 'POST' || error.problem !== 'invalid-request') return saidOf(error);
  return { title: 'This form could not be read', text: error.message };
}

/** When it was removed, and why if a moderator removed it. */
function removal(site: Site, { removed_at, reason_code: code }: Problem['members']): Content {
  if (removed_at === undefined) return null;
  return html`<p>Removed ${when(removed_at)}.${code !== undefined && html` Reason: ${reasonNamed(code)}.`}</p>
${code !== undefined && html`<p>If it was yours, <a href="${site.at('/notifications?kind=moderation')}">your notifications</a> lead to the decision, which you can appeal.</p>`}`;
}

/** How long to wait before a retry, where a retry can help. */
function retryAdvice({ retry_after_seconds: seconds }: Problem['members']): Content {
  if (seconds === undefined) return null;
  const time =
    seconds < 90 ? formatCount(seconds, 'second') : formatCount(Math.ceil(seconds / 60), 'minute');
  return html`<p>Try again in ${time}.</p>
`;
}

/** To somebody signed out, a draft or a private article of their own is not there until they sign in. */
function signInAdvice(
  site: Site,
  { problem }: Problem,
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
): Content {
  const next = localPath(site, url);
  if (problem !== 'not-found' || method === 'POST' || next === undefined) return null;
  return html`<p>If it is yours, <a href="${site.at(beforehand('/sign-in', next))}" rel="nofollow">sign in</a> to see it.</p>
`;
}

/** A client that accepts anything gets the problem document. A browser prefers HTML. */
function wantsPage({ method, url, headers: { accept } }: FastifyRequest): boolean {
  if (!['GET', 'HEAD', 'POST'].includes(method)) return false;
  // `/-` alone is any other path of the media host, which has no pages.
  if (/^\/(?:v1|media|-\/v1)(?:[/?]|$)|^\/-$/.test(url)) return false;
  if (!isNamed(accept, 'text/html')) return false;
  return preferredType(accept, ['application/problem+json', 'text/html']) === 'text/html';
}

/** Returns the hook that shows problems as pages to clients that prefer HTML, and as pictures to an `img`. */
export function problemPages(
  config: Config,
): (request: FastifyRequest, error: Problem) => ShownProblem | undefined {
  const site = siteOf(config);
  const cookies = sessionCookies(config);
  // Nobody asks whose session belongs to an address that no page has. Without a session, the reader is signed out.
  const strangerOf = ({ headers }: FastifyRequest): Reader | undefined =>
    cookies.read(headers) === undefined ? { caller: null, live: '' } : undefined;
  return (request, error) => {
    if (!wantsPage(request)) return problemPicture(request, error);
    const said = saidAbout(request, error);
    const reader = readerOf(request) ?? strangerOf(request);
    const main = html`<header class="intro problem">
<p class="status">${problems[error.problem].status}</p>
<h1>${said.title}</h1>
<p>${said.text}</p>
${removal(site, error.members)}${retryAdvice(error.members)}${reader?.caller === null && signInAdvice(site, error, request)}<p><a href="${site.at('/')}">The latest articles</a> · <a href="${site.at('/search')}">Search</a></p>
<p class="small">If you report this, include the request id: <code>${request.id}</code></p>
</header>`;
    const page = {
      ...(reader === undefined ? {} : { reader }),
      title: said.title,
      description: '',
      canonical: undefined,
      noindex: true,
      main,
    };
    return {
      headers: {
        ...site.headers,
        'content-type': 'text/html; charset=utf-8',
        'x-robots-tag': 'noindex',
        vary: 'Accept, Cookie',
      },
      text: maskTokens(pageText(site, page)),
    };
  };
}
