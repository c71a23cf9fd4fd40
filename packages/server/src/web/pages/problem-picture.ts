// A problem as a picture, where a page asked for a picture: readers see words and not a broken image.
import type { ProblemName } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import { isNamed, preferredType } from '#http';
import type { Problem, ShownProblem } from '#http';

/** Problems of the file itself. Others are faults of a request, and pass. */
const words: Readonly<Partial<Record<ProblemName, string>>> = {
  'not-found': 'This image is not here, or not yet.',
  gone: 'This image was removed.',
  'unavailable-for-legal-reasons': 'This image is not available for legal reasons.',
};

/** Both colours are read on light and dark paper. */
function picture(text: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="160" viewBox="0 0 640 160"><rect x="0.5" y="0.5" width="639" height="159" fill="none" stroke="#8a8175"/><text x="320" y="87" text-anchor="middle" font-family="system-ui, sans-serif" font-size="20" fill="#8a8175">${text}</text></svg>
`;
}

/** Browsers name this type where a picture is wanted. A client that accepts anything gets the document. */
function wantsPicture({ method, url, headers: { accept } }: FastifyRequest): boolean {
  if (!['GET', 'HEAD'].includes(method) || !url.startsWith('/media/')) return false;
  if (!isNamed(accept, 'image/svg+xml')) return false;
  return preferredType(accept, ['application/problem+json', 'image/svg+xml']) === 'image/svg+xml';
}

/**
 * Returns the problem as a picture with the same status, for a request by an `img`; undefined for others. It is
 * not stored: a variant that is missing now is there a moment later.
 */
export function problemPicture(request: FastifyRequest, error: Problem): ShownProblem | undefined {
  const text = words[error.problem];
  if (text === undefined || !wantsPicture(request)) return undefined;
  return {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept',
    },
    text: picture(text),
  };
}
