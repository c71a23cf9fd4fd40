// A problem as a page, for people who came by a link.
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { isNamed, preferredType } from '#http';
import type { Problem, ShownProblem } from '#http';
import { maskTokens } from '#lib/token-text';
import { html } from '../html.ts';
import { pageText } from '../page.ts';
import { siteOf } from '../site.ts';

/** What people are told, where the words of the interface are for programs. */
const words: Partial<Record<ProblemName, { readonly title: string; readonly text: string }>> = {
  'not-found': {
    title: 'Nothing is here',
    text: 'The address is wrong, or what was here is not for everybody.',
  },
  gone: { title: 'This was taken away', text: 'It was here once, and it is not coming back.' },
  'unavailable-for-legal-reasons': {
    title: 'Not available for legal reasons',
    text: 'It was taken away because the law asked for it.',
  },
  'rate-limited': {
    title: 'Too many pages at once',
    text: 'Your network address has asked for a lot. Wait a little, then load the page again.',
  },
  unavailable: {
    title: 'Back in a moment',
    text: 'The service is busy. Load the page again soon.',
  },
  'internal-error': {
    title: 'Something failed',
    text: 'It is not your fault, and it was written down. Load the page again later.',
  },
};

/** Programs that take anything get the document; a browser says that it would rather have HTML. */
function wantsPage({ method, url, headers: { accept } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (/^\/(?:v1|media)(?:[/?]|$)/.test(url)) return false;
  if (!isNamed(accept, 'text/html')) return false;
  return preferredType(accept, ['application/problem+json', 'text/html']) === 'text/html';
}

/** Shows problems to whoever asks for HTML; the others get the document. */
export function problemPages(
  config: Config,
): (request: FastifyRequest, error: Problem) => ShownProblem | undefined {
  const site = siteOf(config);
  return (request, error) => {
    if (!wantsPage(request)) return undefined;
    const { title, meaning } = problems[error.problem];
    const said = words[error.problem] ?? { title, text: meaning };
    const { removed_at, reason_code } = error.members;
    const main = html`<header class="intro problem">
<p class="status">${problems[error.problem].status}</p>
<h1>${said.title}</h1>
<p>${said.text}</p>
${
  removed_at !== undefined &&
  html`<p>Since <time datetime="${removed_at}">${removed_at.slice(0, 10)}</time>${reason_code !== undefined && html`, because of: ${reason_code}`}.</p>
`
}<p><a href="${site.at('/')}">The latest articles</a> · <a href="${site.at('/search')}">Search</a></p>
<p class="small">${error.message} Number of this request: <code>${request.id}</code></p>
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
