// A problem as a page, for people who followed a link.
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isNamed, preferredType } from '#http';
import type { Problem, ShownProblem } from '#http';
import { maskTokens } from '#lib/token-text';
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import { pageText } from '../components/page-frame.ts';
import { siteOf } from '../site.ts';
import { counted, dayOf } from '../components/labels.ts';

/** The texts that people see. The texts of the interface are for programs. */
const words: Readonly<
  Partial<Record<ProblemName, { readonly title: string; readonly text: string }>>
> = {
  'invalid-request': {
    title: 'This address does not work',
    text: 'A part of it is not what the page expects. It may have been cut off or changed on the way.',
  },
  'not-found': {
    title: 'Nothing is here',
    text: 'The address may be mistyped, or the page is not public.',
  },
  gone: {
    title: 'This page was removed',
    text: 'It was published here once and has been taken down. It will not come back at this address.',
  },
  'unavailable-for-legal-reasons': {
    title: 'Not available for legal reasons',
    text: 'This page was taken down because of a legal demand.',
  },
  'rate-limited': {
    title: 'Too many pages at once',
    text: 'Your network has asked for many pages in a short time.',
  },
  unavailable: {
    title: 'Back in a moment',
    text: 'The service is busy or restarting. Nothing is lost.',
  },
  'internal-error': {
    title: 'Something went wrong',
    text: 'The fault is ours, and it has been recorded. Try again later.',
  },
};

/** When it was removed, and why if a moderator removed it. */
function removal({ removed_at, reason_code }: Problem['members']): Content {
  if (removed_at === undefined) return null;
  const reason = reason_code?.replaceAll('_', ' ');
  return html`<p>Removed on <time datetime="${removed_at}">${dayOf(removed_at)}</time>.${reason !== undefined && html` Reason: ${reason}.`}</p>
`;
}

/** How long to wait before a retry, where a retry can help. */
function waiting({ retry_after_seconds: seconds }: Problem['members']): Content {
  if (seconds === undefined) return null;
  const time =
    seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
  return html`<p>Try again in ${time}.</p>
`;
}

/** A client that accepts anything gets the problem document. A browser prefers HTML. */
function wantsPage({ method, url, headers: { accept } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (/^\/(?:v1|media)(?:[/?]|$)/.test(url)) return false;
  if (!isNamed(accept, 'text/html')) return false;
  return preferredType(accept, ['application/problem+json', 'text/html']) === 'text/html';
}

/** Returns the hook that shows problems as pages to clients that prefer HTML. Others get the document. */
export function problemPages(
  config: Config,
): (request: FastifyRequest, error: Problem) => ShownProblem | undefined {
  const site = siteOf(config);
  return (request, error) => {
    if (!wantsPage(request)) return undefined;
    const { title, meaning } = problems[error.problem];
    const said = words[error.problem] ?? { title, text: meaning };
    const main = html`<header class="intro problem">
<p class="status">${problems[error.problem].status}</p>
<h1>${said.title}</h1>
<p>${said.text}</p>
${removal(error.members)}${waiting(error.members)}<p><a href="${site.at('/')}">The latest articles</a> · <a href="${site.at('/search')}">Search</a></p>
<p class="small">If you report this, name the request: <code>${request.id}</code></p>
</header>`;
    const page = {
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
        vary: 'Accept',
      },
      text: maskTokens(pageText(site, page)),
    };
  };
}
