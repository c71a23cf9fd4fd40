// GET /errors/{name}: the page that a problem's type links to, as HTML or Markdown.
import { problemNames, problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#config';
import { escapeText } from '@colophon/text/lib/escape';
import { preferredType } from './input/media-type.ts';
import { problem } from './problem.ts';

const types = ['text/html', 'text/markdown'];

function isProblemName(name: string): name is ProblemName {
  return (problemNames as readonly string[]).includes(name);
}

function inCode(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function markdown(name: ProblemName): string {
  const { status, title, meaning, advice, retryable } = problems[name];
  return `# ${title}

\`${name}\` · HTTP status ${status} · ${retryable ? 'retryable' : 'not retryable'}

${meaning}

**What to do:** ${advice}
`;
}

const style = `:root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem}code{background:#8883;padding:.1em .3em;border-radius:.2em}nav{margin-top:3rem;font-size:.9rem}.staging{border:1px solid;padding:.3em .6em}`;

interface Frame {
  readonly robots: string;
  readonly banner: string;
}

const frames: Readonly<Record<Config['deployment'], Frame>> = {
  production: { robots: '', banner: '' },
  staging: {
    robots: '<meta name="robots" content="noindex">\n',
    banner:
      '<p class="staging" role="note">This is a staging deployment for tests. Its content can be deleted at any time.</p>\n',
  },
};

function html(name: ProblemName, { robots, banner }: Frame): string {
  const { status, title, meaning, advice, retryable } = problems[name];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · Colophon</title>
${robots}<link rel="stylesheet" href="style.css">
</head>
<body>
${banner}<main>
<h1>${escapeText(title)}</h1>
<p><code>${name}</code> · HTTP status ${status} · ${retryable ? 'retryable' : 'not retryable'}</p>
<p>${inCode(escapeText(meaning))}</p>
<p><strong>What to do:</strong> ${inCode(escapeText(advice))}</p>
</main>
<nav>All problem types: ${problemNames.map((one) => `<a href="${one}">${one}</a>`).join(' · ')}</nav>
</body>
</html>
`;
}

function negotiateType({ headers }: FastifyRequest): string {
  return preferredType(headers.accept, types) ?? 'text/html';
}

/** Adds the error pages. They are static and publicly cacheable. */
export function addErrorPages(
  app: FastifyInstance,
  { deployment }: Pick<Config, 'deployment'>,
): void {
  app.get('/errors/style.css', (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(style),
  );
  app.get('/errors/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    if (!isProblemName(name)) {
      throw problem(
        'not-found',
        `No problem type has this name. The names are ${problemNames.join(', ')}.`,
      );
    }
    const type = negotiateType(request);
    return reply
      .type(`${type}; charset=utf-8`)
      .headers({
        'cache-control': 'public, max-age=3600',
        vary: 'Accept',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      })
      .send(type === 'text/markdown' ? markdown(name) : html(name, frames[deployment]));
  });
}

export const errorRoutes = [
  { method: 'GET', path: '/errors/{name}' },
  { method: 'GET', path: '/errors/style.css' },
] as const;
